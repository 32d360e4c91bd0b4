import { text as readText } from 'node:stream/consumers'
import { type JsonObject, ToolError, type ToolErrorCode, type ToolResult } from '@toolcrib/registry'
import type { CommandContext } from '../program/command-context.ts'
import { type ExitCode, exitCodeFor, exitCodes } from '../exit-code.ts'
import { shownLine, shownText } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import { hostError } from '../../host-error.ts'

/** `tools list`. */
export async function runToolsList(context: CommandContext): Promise<void> {
  const tools = await context.withHost((host) => host.call('tools.list', {}, context.signal))
  context.printer.result(tools, () =>
    formatTable(
      ['NAME', 'SOURCE', 'VERSION', 'RISK', 'DESCRIPTION'],
      tools.map(({ name, source, version, risk, description }) => [
        name,
        source,
        version === undefined ? '-' : `v${version}`,
        risk,
        shownLine(description, 70),
      ]),
    ),
  )
}

/** `tools show NAME`. */
export async function runToolsShow(context: CommandContext, name: string): Promise<void> {
  const tool = await context.withHost((host) => host.call('tools.show', { name }, context.signal))
  context.printer.result(tool, () => shownText(JSON.stringify(tool, null, 2)))
}

/** `tools call NAME [INPUT]`. */
// oxlint-disable-next-line max-params -- commander's order: arguments, then options
export async function runToolsCall(
  context: CommandContext,
  name: string,
  input: string | undefined,
  { timeout }: { readonly timeout?: string },
): Promise<ExitCode> {
  const parsed = parseInput(input === '-' ? await readText(process.stdin) : (input ?? '{}'))
  const timeoutMs = timeout === undefined ? {} : { timeoutMs: parseTimeout(timeout) }
  const { result, stopped, waiting } = await context.withHost(async (host) => {
    const called = await host.call(
      'tools.call',
      { name, input: parsed, ...timeoutMs },
      context.signal,
    )
    const isMissing = !called.success && called.errorCode === 'TOOL_NOT_FOUND'
    const versions = isMissing ? await host.call('versions.list', { name }) : []
    return {
      result: called,
      waiting: versions.find(({ status }) => status === 'approval_required'),
      // Such as one that is held, since its engine changed and it behaves differently now.
      stopped: versions.findLast(({ callable, reason }) => !callable && reason !== undefined),
    }
  })
  if (waiting !== undefined)
    return failed(
      context,
      hostError('NEEDS_APPROVAL', `${name} v${waiting.version} waits for a person.`),
      {
        next: `${context.prefix} approvals show ${name}@${waiting.version}`,
        code: exitCodes.needsApproval,
      },
    )
  if (stopped !== undefined)
    return failed(
      context,
      new ToolError(
        'TOOL_NOT_FOUND',
        `${name} is not in use; v${stopped.version} is ${stopped.status}: ${stopped.reason}`,
        { data: { name, version: stopped.version } },
      ),
      {
        next: `${context.prefix} approvals show ${name}@${stopped.version}`,
        code: exitCodes.failure,
      },
    )
  return report(context, name, result)
}

function report(context: CommandContext, name: string, result: ToolResult): ExitCode {
  if (result.success) {
    context.printer.result(result, () =>
      shownText(result.truncated ? `${result.preview}…` : pretty(result.outputText)),
    )
    if (result.truncated)
      context.printer.note(
        `The output has ${result.outputBytes} bytes. The whole: ${context.prefix} log --call ${result.callId}`,
      )
    return exitCodes.ok
  }
  const { error, errorCode, errorData = {}, callId, durationMs } = result
  const detail = describeDetail(errorData)
  const message = detail === undefined ? error : `${error} (${detail})`
  const next = nextCommands[errorCode] ?? `tools show ${name}`
  return failed(
    context,
    new ToolError(errorCode, message, { data: { ...errorData, callId, durationMs } }),
    { next: `${context.prefix} ${next}`, code: exitCodeFor(errorCode) },
  )
}

/** The rule that was broken, or the tool's own code. */
function describeDetail({ toolErrorCode, toolErrorData }: JsonObject): string | undefined {
  const rule = (toolErrorData as JsonObject | undefined)?.['rule']
  if (typeof rule === 'string') return `rule ${rule}`
  return typeof toolErrorCode === 'string' ? toolErrorCode : undefined
}

const nextCommands: Partial<Record<ToolErrorCode, string>> = {
  TOOL_NOT_FOUND: 'tools list',
  POLICY_VIOLATION: 'tools policy',
}

function failed(
  context: CommandContext,
  error: ToolError<string>,
  { next, code }: { readonly next: string; readonly code: ExitCode },
): ExitCode {
  context.printer.failure(error, next)
  return code
}

function pretty(text: string): string {
  return text.length > 100_000 ? text : JSON.stringify(JSON.parse(text), null, 2)
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw hostError(
      'USAGE',
      `The input is not JSON: ${(cause as Error).message}. Quote it for the shell: '{"key":1}'`,
      {
        cause,
      },
    )
  }
}

function parseTimeout(text: string): number {
  const timeoutMs = Number(text)
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return timeoutMs
  throw hostError('USAGE', `--timeout must be a number of milliseconds above 0, got "${text}".`)
}
