import type { ToolDefinition } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'

/** How many characters of what a server says of its error are looked at. */
const maxReasonLength = 65_536

/**
 * Why a call failed whose tool gave the result of an MCP server that says it is an error, as `callTool` of a client gives it;
 * `undefined` for everything else.
 */
export function describeMcpError(tool: ToolDefinition, output: unknown): CallProblem | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  try {
    const { isError, content } = output as {
      readonly isError?: unknown
      readonly content?: unknown
    }
    if (isError !== true) return undefined
    const blocks: readonly unknown[] | undefined = Array.isArray(content) ? content : undefined
    const isResult = tool.source?.type === 'mcp' || blocks?.every(isBlock) === true
    return isResult ? { code: 'TOOL_FAILED', message: messageOf(tool, blocks ?? []) } : undefined
  } catch {
    // A getter or a proxy threw: whatever it is, no client made it.
    return undefined
  }
}

function messageOf(tool: ToolDefinition, blocks: readonly unknown[]): string {
  const reasons: string[] = []
  let length = 0
  for (const block of blocks) {
    const { text } = block as { readonly text?: unknown }
    if (typeof text !== 'string' || length > maxReasonLength) continue
    reasons.push(text.slice(0, maxReasonLength))
    length += text.length
  }
  const reason = reasons.join('\n').trim()
  return `Tool "${tool.name}" failed: ${reason === '' ? 'its server says so, and gives no reason' : reason}`
}

function isBlock(block: unknown): boolean {
  return (
    typeof block === 'object' &&
    block !== null &&
    typeof (block as { readonly type?: unknown }).type === 'string'
  )
}
