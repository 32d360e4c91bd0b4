import {
  type JsonObject,
  type Principal,
  type SchemaIssue,
  ToolError,
  type ToolDefinition,
  findNearestName,
  formatIssues,
  isToolErrorCode,
  isVisibleTo,
} from '@toolcrib/registry'
import { type CallProblem, lastRefusals } from './call-problem.ts'
import { describeError } from './values/describe-error.ts'
import type { InvokerOptions } from '../invoker-options.ts'

type Registry = InvokerOptions['registry']

/** With more tools than this no suggestion is looked for: an unknown name must not cost the program its time. */
const maxNamesToCompare = 2_000

/** The tool of that name, if there is one that the principal may see. */
export function findTool(
  registry: Registry,
  name: unknown,
  principal: Principal,
): ToolDefinition | undefined {
  if (typeof name !== 'string') return undefined
  const tool = registry.get(name)
  return tool !== undefined && isVisibleTo(tool, principal) ? tool : undefined
}

/** No such tool; with the name that may have been meant. */
export function toolNotFound(registry: Registry, name: unknown, principal: Principal): CallProblem {
  if (typeof name !== 'string')
    return {
      code: 'TOOL_NOT_FOUND',
      message: `A tool is called by its name, a text; got ${name === null ? 'null' : typeof name}.`,
    }
  const nearest = suggestName(registry, name, principal)
  const shown = JSON.stringify(name.slice(0, 100))
  const advice =
    nearest === undefined ? 'Call one of the listed tools.' : `Did you mean "${nearest}"?`
  return {
    code: 'TOOL_NOT_FOUND',
    message: `There is no tool named ${shown}. ${advice}`,
    ...(nearest !== undefined && { data: { suggestion: nearest } }),
  }
}

function suggestName(registry: Registry, name: string, principal: Principal): string | undefined {
  if (registry.count() > maxNamesToCompare) return undefined
  const visible = registry
    .list()
    .map((listing) => listing.name)
    .filter((known) => findTool(registry, known, principal) !== undefined)
  return findNearestName(name, visible)
}

/** The input does not match the schema. */
export function inputInvalid(tool: ToolDefinition, issues: readonly SchemaIssue[]): CallProblem {
  return {
    code: 'INPUT_INVALID',
    message: `The input of "${tool.name}" is not valid, so it did not run: ${formatIssues(issues)}`,
    data: issuesAsData(issues),
  }
}

/** The output does not match the schema. */
export function outputInvalid(tool: ToolDefinition, issues: readonly SchemaIssue[]): CallProblem {
  return {
    code: 'OUTPUT_INVALID',
    message:
      `"${tool.name}" ran, but its output is not valid: ${formatIssues(issues)}. ` +
      'Its effects have happened; calling it again may repeat them.',
    data: issuesAsData(issues),
  }
}

function issuesAsData(issues: readonly SchemaIssue[]): JsonObject {
  return { issues: issues.map(({ path, message }) => ({ path, message })) }
}

/** A schema of the tool failed by itself, whatever the value. */
export function schemaFailed(
  tool: ToolDefinition,
  direction: 'input' | 'output',
  error: unknown,
): CallProblem {
  const ran = direction === 'input' ? 'it did not run' : 'it ran, but its output was not checked'
  return {
    code: 'SCHEMA_INVALID',
    message: `The ${direction} schema of "${tool.name}" failed, so ${ran}: ${describeError(error).message}`,
  }
}

/** What `checkCallable` answered or threw, as a problem. A check that fails is a refusal. */
export function refusalOf(tool: ToolDefinition, answer: unknown, hasThrown: boolean): CallProblem {
  const { code, message, data } = describeError(answer)
  if (!isToolErrorCode(code) || (hasThrown && !isToolError(answer)))
    return {
      code: 'TOOL_REVOKED',
      message: `"${tool.name}" did not run, because it could not be checked whether it may: ${hasThrown ? message : 'the check gave neither a refusal nor undefined'}`,
    }
  const facts = data ?? readData(answer)
  return { code, message, ...(facts !== undefined && { data: facts }) }
}

function isToolError(value: unknown): boolean {
  try {
    return ToolError.is(value)
  } catch {
    return false
  }
}

function readData(answer: unknown): JsonObject | undefined {
  const { data } = answer as { data?: unknown }
  return typeof data === 'object' && data !== null ? (data as JsonObject) : undefined
}

/** All places are taken, and so are those to wait in. */
export function tooManyCalls(tool: ToolDefinition, hasWaited: boolean): CallProblem {
  const reason = hasWaited ? 'no place became free before the deadline' : 'no place is free'
  return {
    code: 'CONCURRENCY_LIMIT',
    message: `"${tool.name}" did not run: too many calls are running and ${reason}. Try again later.`,
  }
}

/** The tool failed too often. */
export function circuitOpen(tool: ToolDefinition, remainingMs: number): CallProblem {
  const retryAfterMs = Math.ceil(remainingMs)
  return {
    code: 'CIRCUIT_OPEN',
    message:
      `"${tool.name}" did not run: it failed too often of late and is paused for another ` +
      `${retryAfterMs} ms. Use another way, or try again then.`,
    data: { retryAfterMs },
  }
}

/** The start row is not durable. */
export function logUnavailable(tool: ToolDefinition): CallProblem {
  return {
    code: 'LOG_UNAVAILABLE',
    message: `"${tool.name}" did not run, because its start could not be logged. Try again later.`,
  }
}

/** The time was up. */
export function timedOut(tool: ToolDefinition, timeoutMs: number, isRunning: boolean): CallProblem {
  const rest = isRunning
    ? 'It was told to stop and may still be running, so its effects may still happen.'
    : 'It was told to stop and has stopped.'
  return {
    code: 'TIMEOUT',
    message: `"${tool.name}" did not finish within ${timeoutMs} ms. ${rest}`,
    data: { timeoutMs },
  }
}

/** The time was up before the tool could run. */
export function timedOutBefore(tool: ToolDefinition, timeoutMs: number): CallProblem {
  return {
    code: 'TIMEOUT',
    message:
      timeoutMs > 0
        ? `"${tool.name}" did not run: its ${timeoutMs} ms were over before it could begin.`
        : `"${tool.name}" did not run: no time was left for it.`,
    data: { timeoutMs },
  }
}

/** The tool gave values one after the other, and too many of them. */
export function outputRefused(tool: ToolDefinition, reason: string): CallProblem {
  return {
    code: 'OUTPUT_UNSERIALISABLE',
    message: `"${tool.name}" was stopped while it ran: ${reason}. What it did until then has happened.`,
  }
}

/** The tool was done, and the check of its output was not. */
export function outputUncheckedInTime(tool: ToolDefinition, timeoutMs: number): CallProblem {
  return {
    code: 'TIMEOUT',
    message: `"${tool.name}" ran, but its output could not be checked within ${timeoutMs} ms. Its effects have happened.`,
    data: { timeoutMs },
  }
}

/** Who called does not want the outcome any more. */
export function callCancelled(
  tool: ToolDefinition,
  state: 'not run' | 'stopped' | 'running',
): CallProblem {
  const rest = {
    'not run': 'it did not run.',
    stopped: 'it had begun, and has stopped.',
    running: 'it was told to stop and may still be running, so its effects may still happen.',
  }[state]
  return { code: 'CANCELLED', message: `The call of "${tool.name}" was cancelled; ${rest}` }
}

/** Somebody took the tool out of use while it was called. */
export function callWithdrawn(
  tool: ToolDefinition,
  error: ToolError,
  state: 'not run' | 'stopped' | 'running',
): CallProblem {
  const { code: given, message, data } = describeError(error)
  const code = lastRefusals.find((known) => known === given) ?? 'TOOL_REVOKED'
  const rest = {
    'not run': `"${tool.name}" did not run: ${message}`,
    stopped: `"${tool.name}" was stopped while it ran: ${message} It has stopped; what it did until then has happened.`,
    running: `"${tool.name}" was told to stop while it ran, and may still be running: ${message} Its effects may still happen.`,
  }[state]
  return { code, message: rest, ...(data !== undefined && { data }) }
}

/** Tools called tools called tools. */
export function tooDeep(tool: ToolDefinition, maxDepth: number): CallProblem {
  return {
    code: 'DEPTH_EXCEEDED',
    message: `"${tool.name}" did not run: tools may call tools ${maxDepth} deep at most, and this call is deeper.`,
    data: { maxDepth },
  }
}

/** A fault of the invoker or of what was plugged into it. */
export function internalError(tool: ToolDefinition): CallProblem {
  return {
    code: 'TOOL_FAILED',
    message: `The call of "${tool.name}" could not be carried through. The program's log says why.`,
  }
}

/** The invoker is shutting down. */
export function invokerClosed(toolName: string): CallProblem {
  return {
    code: 'INVOKER_CLOSED',
    message: `"${toolName}" did not run: the program is shutting down and takes no more calls.`,
  }
}

/** A tool goes on calling tools although its own call is over. */
export function callerIsOver(toolName: string, callerName: string): CallProblem {
  return {
    code: 'CANCELLED',
    message: `"${toolName}" did not run: the call of "${callerName}" that wanted it is over.`,
  }
}
