import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every error code that this package throws, with what it means. */
export const n8nErrorCatalogue = {
  N8N_OPTION_INVALID: 'An option of the client or of a call is not what it takes.',
  N8N_UNREACHABLE:
    'Nothing answers at the address of n8n, or the connection broke before an answer.',
  N8N_STARTING: 'n8n is starting, stopping, or without its database. Try again in a moment.',
  N8N_TIMEOUT: 'n8n did not answer in time.',
  N8N_UNAUTHORIZED: 'n8n does not know the API key.',
  N8N_FORBIDDEN: 'The API key lacks a scope, or the licence of the server a feature.',
  N8N_NOT_FOUND: 'There is no such workflow, version, execution or credential.',
  N8N_CONFLICT: 'The state of what is on the server does not allow that now.',
  N8N_REQUEST_REFUSED: 'n8n refuses the request; the message is its own.',
  N8N_REQUEST_TOO_LARGE: 'The request is larger than the client or the server takes.',
  N8N_RESPONSE_TOO_LARGE: 'The answer is larger than the client takes.',
  N8N_RESPONSE_INVALID: 'The answer is none that n8n gives: a page, a redirect, or broken JSON.',
  N8N_UNSUPPORTED: 'This release of n8n cannot do that.',
  N8N_WORKFLOW_INVALID:
    'The workflow was found wrong before anything was sent; `problems` has what and where.',
  N8N_DEPLOY_FAILED:
    'The workflow could not be made callable; what had been created was taken back.',
  N8N_CLEANUP_INCOMPLETE: 'Something of a workflow is left on the server; `left` names it.',
  N8N_CHANGED: 'The workflow on the server is not the one that was deployed.',
  N8N_NO_WEBHOOK: 'The workflow has no webhook that could be called.',
  N8N_NOT_CALLABLE:
    'The webhook of the workflow is not registered: it is not published, or was taken down.',
  N8N_CALL_REFUSED: 'The webhook does not accept the credential of the call.',
  N8N_EXECUTION_FAILED:
    'The workflow ran and failed; `node` and the message are those of the execution.',
  N8N_EXECUTION_WAITS: 'The workflow stopped to wait, so its result is not known yet.',
  N8N_RESULT_INVALID: 'The workflow ran, and gave no JSON result.',
  N8N_OUTCOME_UNKNOWN: 'The call may or may not have run, and n8n does not know it (any more).',
  N8N_TEMPLATE_UNKNOWN: 'There is no template of that name.',
  N8N_CUSTOMIZATION_INVALID: 'A customization of a template is not what its schema says.',
} as const

/** A code of {@link n8nErrorCatalogue}. */
export type N8nErrorCode = keyof typeof n8nErrorCatalogue

/** Makes an error of this package. Keys and tokens must not be in it. */
export function n8nError(
  code: N8nErrorCode,
  message: string,
  options: { readonly cause?: unknown; readonly data?: JsonObject } = {},
): ToolError<N8nErrorCode> {
  return new ToolError(code, message, options)
}
