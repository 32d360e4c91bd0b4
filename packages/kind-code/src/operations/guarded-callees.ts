import { type ToolPolicy, ToolPolicyViolation } from '@toolcrib/policy'
import {
  type JsonObject,
  type JsonValue,
  type ToolContext,
  type ToolDefinition,
  ToolError,
  type ToolFailure,
  type ToolResult,
} from '@toolcrib/registry'
import type { HostOperation } from '@toolcrib/sandbox'
import { ownField, readObject, readText } from './operation-arguments.ts'

const operation = 'tools.call'

/** What calls of other tools need. */
export interface GuardedCalleesOptions {
  readonly policy: ToolPolicy
  readonly invoke: ToolContext['invoke']
  /** The tools that are there now, where pinned versions shall be compared with them. */
  readonly findTool: ((name: string) => ToolDefinition | undefined) | undefined
}

/** A called tool failed. What it tried is on record as its own call. */
export class CalleeFailure extends ToolError<string> {
  override readonly name = 'ToolError'

  constructor(name: string, failure: ToolFailure) {
    super(failure.errorCode, failure.error, { data: { ...failure.errorData, callee: name } })
  }
}

/** `ctx.tools.call`: named callees only, at the approved version, and they may do no more than this call may. */
export function guardedToolCall(options: GuardedCalleesOptions): HostOperation {
  const { invoke, policy } = options
  return async (argument, { signal }) => {
    const call = readObject(operation, argument)
    const name = readText(operation, call, 'name')
    const input = readObject(operation, ownField(call, 'input') ?? {})
    assertCallee(name, options)
    const callerPolicy = policy as unknown as JsonObject
    return readResult(name, await invoke(name, input, { callerPolicy, signal }))
  }
}

function assertCallee(name: string, { findTool, policy }: GuardedCalleesOptions): void {
  const pins = policy.tools?.callees.filter((callee) => callee.name === name) ?? []
  if (pins.length === 0)
    throw refuse(
      name,
      'Propose a new version that names it in callees; each tool that leads to this call must name it too.',
    )
  if (findTool === undefined) return
  const source = findTool(name)?.source
  const present = source?.type === 'made' ? source.hash : null
  if (!pins.some(({ hash }) => hash === present))
    throw refuse(
      name,
      'It is not the version that was approved. Propose a new version of this tool.',
    )
}

function refuse(name: string, howToAsk: string): ToolPolicyViolation {
  return new ToolPolicyViolation({
    rule: 'tools.callee',
    tried: `call the tool ${JSON.stringify(name.slice(0, 100))}`,
    howToAsk,
  })
}

function readResult(name: string, result: ToolResult): JsonValue {
  if (!result.success) throw new CalleeFailure(name, result)
  if (!result.truncated) return (result.output ?? null) as JsonValue
  throw new ToolError(
    'TOOL_FAILED',
    `The tool ${JSON.stringify(name)} ran, and its answer of ${result.outputBytes} bytes is too large to be handed on.`,
    { data: { callee: name, outputBytes: result.outputBytes } },
  )
}
