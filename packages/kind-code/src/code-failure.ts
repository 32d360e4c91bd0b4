import { type JsonObject, ToolError } from '@toolcrib/registry'
import { authorModuleSpecifier } from './tool-file/factory-form.ts'
import type { GuestPosition, SandboxFailure, SandboxFailureReason } from '@toolcrib/sandbox'

/** What was the limit of a call, for the message. */
export interface FailureLimits {
  readonly timeoutMs: number
  readonly cpuMs?: number | undefined
  readonly memoryBytes?: number | undefined
  readonly maxHostCalls?: number | undefined
}

/**
 * A failure as the tool's author can understand it: the place in his own source, and the limit that he knows of. A guest that
 * computes until its time is over may be stopped by any of the sandbox's clocks.
 */
export function readFailure(
  failure: SandboxFailure,
  { isAborted, limits }: { readonly isAborted: boolean; readonly limits: FailureLimits },
): SandboxFailure {
  const { errorName, message, position, reason } = failure
  const isTimeout =
    (reason === 'cpu-limit' && limits.cpuMs === undefined) || (reason === 'aborted' && !isAborted)
  return {
    ok: false,
    reason: isTimeout ? 'timeout' : reason,
    message,
    ...(errorName === undefined ? {} : { errorName }),
    ...(position === undefined ? {} : { position: inOwnSource(position) }),
  }
}

function inOwnSource({ column, line, module }: GuestPosition): GuestPosition {
  return module === undefined || module === authorModuleSpecifier
    ? { line, column }
    : { module, line, column }
}

/** Why code gave no value, in a sentence that says what to do. */
export function describeSandboxFailure(failure: SandboxFailure, limits: FailureLimits): string {
  const { errorName = 'Error', message, position, reason } = failure
  if (reason === 'guest-error')
    return `${errorName}: ${message}${position === undefined ? '' : ` (at ${showPosition(position)})`}`
  if (reason === 'load')
    return `The source cannot be loaded: ${message}${position === undefined ? '' : ` (at ${showPosition(position)})`}`
  return describeLimit(reason, limits) ?? message
}

/** A place in the source, such as `source 3:14`. */
function showPosition({ column, line, module = 'source' }: GuestPosition): string {
  return `${module} ${line}:${column}`
}

function describeLimit(reason: SandboxFailureReason, limits: FailureLimits): string | undefined {
  const { cpuMs = limits.timeoutMs, maxHostCalls = 1_000, memoryBytes = 33_554_432 } = limits
  switch (reason) {
    case 'timeout':
      return `It did not finish within ${Math.ceil(limits.timeoutMs)} ms.`
    case 'cpu-limit':
      return `It computed for more than ${Math.ceil(cpuMs)} ms. Make it do less, or ask for more in limits.cpuMs of the definition.`
    case 'memory':
      return `It used more memory than it may (${memoryBytes} bytes). Keep less at a time, or ask for more in limits.memoryBytes of the definition.`
    case 'stack':
      return 'Its functions call each other too deeply. Look for a recursion without an end, or use a loop.'
    case 'stalled':
      return 'It waits for something that can never come: a promise that nothing settles.'
    case 'host-call-limit':
      return `It asked for more than ${maxHostCalls} operations of the host. Do with fewer, or ask for more in limits.maxHostCalls of the definition.`
    case 'output-limit':
      return 'What it gave is larger than it may be. Give less.'
    case 'trap':
      return 'The sandbox failed while it ran, and was thrown away.'
    case 'worker-lost':
      return 'The worker that ran it ended.'
    case 'closed':
      return 'The sandbox is closed.'
    default:
      return undefined
  }
}

/** The same as the error of a call, with facts for programs. */
export function codeFailure(failure: SandboxFailure, limits: FailureLimits): ToolError {
  const { errorName, position, reason } = failure
  const data: JsonObject = {
    reason,
    ...(errorName === undefined ? {} : { errorName }),
    ...(position === undefined ? {} : { position: { ...position } }),
  }
  const message = describeSandboxFailure(failure, limits)
  return new ToolError(reason === 'timeout' ? 'TIMEOUT' : 'TOOL_FAILED', message, { data })
}
