import type { ToolDefinition } from '@toolcrib/registry'
import { type CallProblem, describeToolFailure } from './call-problem.ts'
import { outputRefused } from './refusals.ts'
import { OutputRefused } from './streamed-output.ts'
import type { ErrorDescription } from './values/describe-error.ts'
import { describeMcpError } from './values/mcp-result.ts'

/**
 * Why a call failed whose tool has ended: it threw, or gave the result of a server that says so. `undefined` when it gave an
 * output.
 *
 * @param failure what is known of `value` where that was thrown.
 */
export function findToolProblem(
  tool: ToolDefinition,
  value: unknown,
  failure: ErrorDescription | undefined,
): CallProblem | undefined {
  if (failure === undefined) return describeMcpError(tool, value)
  return value instanceof OutputRefused
    ? outputRefused(tool, value.message)
    : describeToolFailure(tool, failure)
}
