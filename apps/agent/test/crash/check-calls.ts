import type { CallLog, LoggedToolCall } from '@toolcrib/registry'
import type { Answer, Fact, Window } from './fact.ts'

/** How long a result waits at most for a row that it does not depend on: `logTimeoutMs` of the invoker. */
const logTimeoutMs = 2_000

/** Every call that the log has, by id. */
export async function readCalls(log: CallLog): Promise<ReadonlyMap<string, LoggedToolCall>> {
  const calls = new Map<string, LoggedToolCall>()
  let cursor: string | undefined
  do {
    const page = await log.query({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) })
    for (const call of page.calls) calls.set(call.callId, call)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return calls
}

/** Compares what clients were told of their calls with what the log says about them. */
export function checkCalls(
  answers: readonly Answer[],
  calls: ReadonlyMap<string, LoggedToolCall>,
): readonly Fact[] {
  return answers.flatMap((answer) => checkCall(answer, calls.get(answer.callId)))
}

/** Calls that nobody is carrying out any more, and that have no end. */
export function findOpenCalls(calls: ReadonlyMap<string, LoggedToolCall>): readonly Fact[] {
  return [...calls.values()]
    .filter(({ status }) => status === 'started')
    .map(({ callId }) => broken(`call ${callId} has no terminal row and was not swept`))
}

function checkCall(answer: Answer, call: LoggedToolCall | undefined): readonly Fact[] {
  const isOpen = call?.status === 'interrupted' || call?.status === 'started'
  if (call !== undefined && !isOpen) return describeDifference(answer, call)
  if (call === undefined && hasNoRow(answer)) return []
  const window = windowOf(answer)
  if (window !== undefined) return [{ fact: 'window', callId: answer.callId, window }]
  const { aroundMs, callId, code = 'success', toolName } = answer
  const reads = call === undefined ? 'is not in the log' : `reads ${call.status}`
  return [
    broken(`call ${callId} of ${toolName}, answered ${code} (${aroundMs} ms beside it), ${reads}`),
  ]
}

/** Calls of names that no tool has go to the logger only. */
function hasNoRow({ code }: Answer): boolean {
  return code === 'TOOL_NOT_FOUND'
}

/** What the README of the call log names: an answer that could not wait for a row. */
function windowOf({ aroundMs, code, ran }: Answer): Window | undefined {
  if (!ran && (code === 'LOG_UNAVAILABLE' || code === 'CANCELLED')) return 'start on its way'
  return aroundMs >= logTimeoutMs ? 'end not durable in time' : undefined
}

function describeDifference(answer: Answer, call: LoggedToolCall): readonly Fact[] {
  const { callId, code, output, ran } = answer
  const { error, outputText, status } = call
  const differences = [
    ...(statusOf(code) === status ? [] : [`answered ${code ?? 'success'}, and reads ${status}`]),
    ...(code === error?.code ? [] : [`answered ${code ?? 'success'}, and reads ${error?.code}`]),
    ...(ran === (error?.data?.['toolRan'] !== false)
      ? []
      : [`answered that it ${ran ? 'ran' : 'did not run'}, and reads the contrary`]),
    ...(output === undefined || outputText?.startsWith(output) === true
      ? []
      : [`answered ${output}, and reads ${outputText?.slice(0, 100)}`]),
  ]
  return differences.map((difference) =>
    broken(`call ${callId} of ${call.toolName}: ${difference}`),
  )
}

function statusOf(code: string | undefined): LoggedToolCall['status'] {
  if (code === undefined) return 'completed'
  if (code === 'TIMEOUT') return 'timed_out'
  return code === 'CANCELLED' ? 'cancelled' : 'failed'
}

function broken(problem: string): Fact {
  return { fact: 'broken', problem }
}
