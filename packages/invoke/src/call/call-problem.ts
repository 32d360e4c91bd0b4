import type { JsonObject, ToolDefinition, ToolErrorCode } from '@toolcrib/registry'
import { copyAsPlainJson } from './values/plain-json-copy.ts'
import type { InvokerSettings } from '../invoker-settings.ts'
import type { ErrorDescription } from './values/describe-error.ts'

/** Why a call did not succeed, before secrets are taken out. */
export interface CallProblem {
  readonly code: ToolErrorCode
  readonly message: string
  readonly data?: JsonObject
  /** What only the log gets to know. */
  readonly logData?: JsonObject
}

/** What stands in for a message that could not be freed of secrets. */
const unredactable = 'The message is withheld, because secrets could not be taken out of it.'

/** The problem with secrets taken out of it and its message bounded. */
export function cleanProblem(problem: CallProblem, settings: InvokerSettings): CallProblem {
  const { code, message, data, logData } = problem
  const cleanFields = {
    data: data === undefined ? undefined : cleanData(data, settings),
    logData: logData === undefined ? undefined : cleanData(logData, settings),
  }
  return {
    code,
    message: cleanMessage(message, settings),
    ...(cleanFields.data !== undefined && { data: cleanFields.data }),
    ...(cleanFields.logData !== undefined && { logData: cleanFields.logData }),
  }
}

function cleanMessage(message: string, { maxErrorLength, redactor }: InvokerSettings): string {
  try {
    return shorten(redactor.redactText(message), maxErrorLength)
  } catch {
    return unredactable
  }
}

/**
 * What the program behind a made tool may say instead of running it. That program is the host's own, unlike what it runs; it
 * looks at what would run at the very last moment.
 */
export const lastRefusals = [
  'TOOL_REVOKED',
  'TOOL_TAMPERED',
  'TOOL_UNVERIFIED',
  'TOOLS_PAUSED',
] as const

/** Whether a tool says that what it started elsewhere may still run, though it ended itself. */
export function saysItMayStillRun({ data }: ErrorDescription): boolean {
  try {
    return data?.['mayStillBeRunning'] === true
  } catch {
    return false
  }
}

/** What a failed tool threw, as a problem. */
export function describeToolFailure(
  tool: ToolDefinition,
  description: ErrorDescription,
): CallProblem {
  const refusal = lastRefusals.find((code) => code === description.code)
  if (refusal !== undefined && tool.source?.type === 'made')
    return {
      code: refusal,
      message: `"${tool.name}" did not run: ${description.message}`,
      ...(description.data !== undefined && { data: description.data }),
      logData: { ...describeForLog(description), toolRan: false },
    }
  const data: Record<string, string | JsonObject> = {}
  if (description.code !== undefined) data['toolErrorCode'] = description.code
  if (description.data !== undefined) data['toolErrorData'] = description.data
  return {
    // What a tool claims about the call itself is not taken over: it ran, whatever its error says.
    code: description.code === 'POLICY_VIOLATION' ? 'POLICY_VIOLATION' : 'TOOL_FAILED',
    message: `Tool "${tool.name}" failed: ${description.message}`,
    ...(Object.keys(data).length > 0 && { data }),
    logData: describeForLog(description),
  }
}

function describeForLog({ name, causes }: ErrorDescription): JsonObject {
  return { errorName: name, ...(causes !== undefined && { causes }) }
}

/**
 * The data without secrets; `undefined` where they cannot be taken out, or where it is too large or no object. The message
 * stays in any case: whoever tried something must not be able to hide it behind large data.
 */
function cleanData(data: JsonObject, settings: InvokerSettings): JsonObject | undefined {
  try {
    // Data comes from foreign errors too, so it may be anything.
    const value = copyAsPlainJson(data, { maxNesting: 20, maxLength: 65_536 }, true)
    const clean = settings.redactor.redactJson(value, JSON.stringify(value))
    const result = clean === undefined ? value : clean.value
    return isJsonObject(result) ? result : undefined
  } catch {
    return undefined
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).toWellFormed()}… (${text.length - maxLength} more characters)`
}
