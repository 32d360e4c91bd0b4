import type { JsonObject, ToolDefinition, ToolErrorCode } from '@toolcrib/registry'
import { copyAsPlainJson } from './plain-json-copy.ts'
import type { InvokerSettings } from './invoker-settings.ts'
import type { ErrorDescription } from './describe-error.ts'

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
  try {
    const clean = settings.redactor.redactText(message)
    return {
      code,
      message: shorten(clean, settings.maxErrorLength),
      ...(data !== undefined && { data: cleanData(data, settings) }),
      ...(logData !== undefined && { logData: cleanData(logData, settings) }),
    }
  } catch {
    return { code, message: unredactable }
  }
}

/** What a failed tool threw, as a problem. */
export function describeToolFailure(
  tool: ToolDefinition,
  description: ErrorDescription,
): CallProblem {
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

function cleanData(data: JsonObject, settings: InvokerSettings): JsonObject {
  // Data comes from foreign errors too, so it may be anything.
  const value = copyAsPlainJson(data, { maxNesting: 20, maxLength: 65_536 }, true)
  const clean = settings.redactor.redactJson(value, JSON.stringify(value))
  return (clean === undefined ? value : clean.value) as JsonObject
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).toWellFormed()}… (${text.length - maxLength} more characters)`
}
