import { type Principal, ToolError, type ToolResult } from '@toolcrib/registry'
import type { Kernel } from '../../src/host/kernel.ts'
import type { Deed, DeedSubject, Fact } from './fact.ts'
import { StopGuard } from './stop-guard.ts'

/** How a deed was answered; `unknown` where a client cannot tell whether it happened. */
export type DeedAnswer =
  | { readonly status?: string }
  | { readonly refused: string }
  | { readonly unknown: true }

/** With what people and agents who are not alone have to reckon. */
const expectedRefusals: ReadonlySet<string> = new Set([
  'DECISION_STALE',
  'TRANSITION_REFUSED',
  'VERSION_NOT_FOUND',
])

const lifts: ReadonlySet<Deed> = new Set(['propose', 'approve', 'activate', 'resume'])

/** What the names of made tools begin with; tools of the host are not stopped by anybody. */
export const madeToolPrefix = 'gives_'

/** What a call is made with. */
export interface CallOptions {
  readonly agent?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Where clients ask the host for things; says what they asked and what they were told, before they go on. */
export class ClientSession {
  readonly kernel: Kernel
  readonly guard: StopGuard = new StopGuard()
  readonly #say: (fact: Fact) => void
  readonly #prefix: string
  #deeds = 0

  constructor(kernel: Kernel, options: { say: (fact: Fact) => void; round: number }) {
    this.kernel = kernel
    this.#say = options.say
    this.#prefix = `${options.round}.`
  }

  say(fact: Fact): void {
    this.#say(fact)
  }

  /** Calls a tool as an agent. */
  async call(toolName: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const { agent, ...rest } = options
    const isStopped = toolName.startsWith(madeToolPrefix) ? this.guard.watch(toolName) : undefined
    const startedAt = performance.now()
    const result = await this.kernel.invoker.invoke(toolName, input, {
      ...rest,
      ...(agent === undefined ? {} : { principal: agentOf(agent) }),
    })
    const aroundMs = Math.floor(performance.now() - startedAt - result.durationMs)
    this.say({ fact: 'answered', toolName, aroundMs, ...answerOf(result) })
    if (result.success && isStopped?.(result.output) === true)
      this.#broken(`${toolName} ran in call ${result.callId}, although it was stopped`)
    return result
  }

  /** Asks for something that has to stay done once it is acknowledged. Gives how it was answered. */
  async ask(
    { deed, ...subject }: DeedSubject & { readonly deed: Deed },
    work: () => Promise<DeedAnswer>,
  ): Promise<DeedAnswer> {
    this.#deeds += 1
    const id = `${this.#prefix}${this.#deeds}`
    const { name, token } = subject
    if (lifts.has(deed)) this.guard.beginLift(name)
    this.say({ fact: 'begun', id, deed, ...subject })
    const answer = await this.#attempt(`${deed} ${name ?? 'all'}`, work)
    if ('unknown' in answer) return answer
    if (lifts.has(deed)) this.guard.endLift(name)
    if ('refused' in answer) {
      this.say({ fact: 'refused', id, code: answer.refused })
      return answer
    }
    if (deed === 'pause' || deed === 'deactivate') this.guard.stopped(name)
    if (deed === 'revoke' && token !== undefined) this.guard.revoked(token)
    this.say({ fact: 'done', id, ...answer })
    return answer
  }

  async #attempt(what: string, work: () => Promise<DeedAnswer>): Promise<DeedAnswer> {
    try {
      return await work()
    } catch (error) {
      if (!ToolError.is(error) || !expectedRefusals.has(error.code))
        this.#broken(`${what} failed: ${error instanceof Error ? error.message : String(error)}`)
      return { refused: ToolError.is(error) ? error.code : 'unknown' }
    }
  }

  #broken(problem: string): void {
    this.say({ fact: 'broken', problem })
  }
}

/** An agent as a principal. */
export function agentOf(id: string): Principal {
  return { kind: 'agent', id }
}

function answerOf(result: ToolResult): {
  callId: string
  ran: boolean
  code?: string
  output?: string
} {
  const { callId } = result
  if (!result.success) {
    const { error, errorCode: code } = result
    return { callId, code, ran: ranDespite(code, error) }
  }
  const text = result.truncated ? result.preview : result.outputText
  return { callId, ran: true, output: text.slice(0, 100) }
}

const codesOfRun = /^(?:TOOL_FAILED|OUTPUT_\w+|POLICY_VIOLATION)$/

/** Whether a failure says that the tool had begun. */
function ranDespite(code: string, error: string): boolean {
  if (code === 'TIMEOUT' || code === 'CANCELLED') return !error.includes('did not run')
  return codesOfRun.test(code)
}
