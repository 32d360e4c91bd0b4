import type { ComputeError, ComputeIssue } from '@toolcrib/compute'
import { type JsonObject, ToolError } from '@toolcrib/registry'
import { showText } from '@toolcrib/toolsmaker/kind'

/**
 * A problem of a program in one sentence: where, what, what to do. Names and texts of the program are in it, so what
 * would not show is written as its code point.
 */
export function issueSentence({ path, offset, snippet, message, hint }: ComputeIssue): string {
  const place = path === '' ? 'The program' : path
  const position = offset === undefined ? '' : ` at character ${offset}`
  const near = snippet === undefined || snippet === '' ? '' : ` (near: ${snippet})`
  return showText(`${place}${position}: ${message}${near}. ${hint}`.trimEnd())
}

/** What a failed run becomes for the caller: the sentence for a model, the facts for a program. */
export function computeFailure(error: ComputeError): ToolError {
  const [issue] = error.issues
  const data: JsonObject = {
    computeCode: issue.code,
    path: issue.path,
    hint: issue.hint,
    ...(issue.offset === undefined ? {} : { offset: issue.offset }),
    ...(issue.snippet === undefined ? {} : { snippet: issue.snippet }),
  }
  return new ToolError('TOOL_FAILED', issueSentence(issue), {
    cause: error,
    data,
  })
}
