import { ToolError } from '@toolcrib/registry'

/** Codes that whoever proposed a tool can do something about. Others, such as a full disk, are failures of the call. */
const actionableCodes: ReadonlySet<string> = new Set([
  'CUSTOM_TOOL_INVALID',
  'CUSTOM_TOOL_UNSUPPORTED',
  'CUSTOM_TOOL_NOT_FOUND',
  'CREDENTIAL_UNKNOWN',
  'WORKFLOW_NOT_GENERATED',
  'WORKFLOW_MODEL_FAILED',
  'WORKFLOW_MODEL_TIMEOUT',
  'WORKFLOW_MODEL_BUSY',
  'N8N_TEMPLATE_UNKNOWN',
  'N8N_CUSTOMIZATION_INVALID',
  'IMPLEMENTATION_INVALID',
  'EXAMPLES_NEEDED',
  'INTENT_INVALID',
  'REQUEST_INVALID',
  'TOOL_NAME_INVALID',
  'TOOL_NAME_NOT_MEANINGFUL',
  'TOOL_NAME_TAKEN',
  'TOOL_NOT_OWNED',
  'OWNER_QUOTA_EXCEEDED',
  'TOOL_KIND_UNKNOWN',
  'TOOL_DEFINITION_INVALID',
  'TOOL_EXISTS',
  'SCHEMA_INVALID',
  'SCHEMA_UNSUPPORTED',
  'VALUE_NOT_JSON',
  'EVENT_TOO_LARGE',
  'VERSION_NOT_FOUND',
  'TRANSITION_REFUSED',
])

/** How a factory tool says that it did not do what was asked. */
export interface FactoryFailure {
  readonly success: false
  readonly toolName: string
  /** What is wrong and what to do, for a model. */
  readonly error: string
  readonly errorCode: string
}

/**
 * Runs the work of a factory tool. What the model can mend comes back as a value; anything else is thrown on.
 */
export async function answerProblems<Answer>(
  toolName: string,
  work: () => Promise<Answer>,
): Promise<Answer | FactoryFailure> {
  try {
    return await work()
  } catch (error) {
    if (!ToolError.is(error) || !actionableCodes.has(error.code)) throw error
    return { success: false, toolName, error: error.message, errorCode: error.code }
  }
}
