import type { ToolError } from '@toolcrib/registry'
import { type ToolsmakerErrorCode, toolsmakerError } from '../error-catalogue.ts'

/** A decision that does not count; `problem` goes on in a sentence. */
export function refusedDecision(
  code: ToolsmakerErrorCode,
  problem: string,
): ToolError<ToolsmakerErrorCode> {
  return toolsmakerError(code, `The decision is refused: ${problem}. Prepare and sign a new one.`)
}

/** A decision that was made for another moment; `problem` goes on in a sentence. */
export function staleDecision(problem: string): ToolError<ToolsmakerErrorCode> {
  return toolsmakerError(
    'DECISION_STALE',
    `The decision is for another moment: ${problem}. Review, prepare and sign again.`,
  )
}
