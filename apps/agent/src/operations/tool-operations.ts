import { ToolError, type ToolResult, type ToolView } from '@toolcrib/registry'
import { z } from 'zod'
import type { BuiltInStanding } from '../tools/built-in/built-in-standing.ts'
import type { CodeStanding } from '../tools/code/code-standing.ts'
import { hostError } from '../host-error.ts'
import { defineOperation } from './operation.ts'

/** A tool as the command line shows it. */
export interface ToolSummary {
  readonly name: string
  readonly description: string
  readonly source: 'built-in' | 'made' | 'mcp'
  readonly risk: string
  readonly kind?: string
  readonly version?: number
  readonly hash?: string
  readonly owner?: string
}

function summarise({ name, description, risk, source }: ToolView): ToolSummary {
  const summary = { name, description, risk, source: source.type }
  if (source.type !== 'made') return summary
  const { kind, version, hash, owner } = source
  return { ...summary, kind, version, hash, owner }
}

/** `tools list`. */
export const listTools = defineOperation(z.strictObject({}), (_input, { kernel, principal }) =>
  kernel.registry.snapshot(principal).tools().map(summarise),
)

/** `tools show`. */
export const showTool = defineOperation(
  z.strictObject({ name: z.string() }),
  ({ name }, { kernel, principal }) => {
    const view = kernel.registry.snapshot(principal).get(name)
    const tool = view === undefined ? undefined : kernel.registry.get(name)
    const versions = kernel.toolsmaker.listVersions(name)
    if (view === undefined && versions.length === 0)
      throw new ToolError('TOOL_NOT_FOUND', `There is no tool "${name}".`, { data: { name } })
    return {
      ...(view === undefined ? { name } : { ...summarise(view), view }),
      callable:
        tool !== undefined && kernel.toolsmaker.checkCallable(tool, principal) === undefined,
      versions,
    }
  },
)

/** `tools call`. */
export const callTool = defineOperation(
  z.strictObject({
    name: z.string(),
    input: z.unknown(),
    timeoutMs: z.number().positive().optional(),
  }),
  ({ name, input, timeoutMs }, { kernel, principal, signal }): Promise<ToolResult> => {
    const off = kernel.builtInTools?.tools.find((tool) => tool.name === name && !tool.isOn)
    if (off !== undefined && !kernel.registry.has(name))
      throw hostError('TOOL_OFF', `The built-in tool "${name}" is off: ${off.because}.`)
    return kernel.invoker.invoke(name, input, {
      principal,
      signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
  },
)

/** What the tools of a host may do, as data. */
export interface ToolStanding extends BuiltInStanding {
  /** What code tools are held to. */
  readonly code?: CodeStanding
}

/** `tools policy`: what the built-in tools may do, and code tools at most. */
export const showToolPolicy = defineOperation(
  z.strictObject({}),
  (_input, { kernel: { builtInTools, code } }): ToolStanding | null =>
    builtInTools === undefined
      ? null
      : { ...builtInTools, ...(code === undefined ? {} : { code: code.standing }) },
)

/** `make`: proposes a tool on behalf of the person; the toolsmaker checks every field of the intent. */
export const makeTool = defineOperation(
  z.strictObject({ intent: z.record(z.string(), z.unknown()) }),
  ({ intent }, { kernel, principal, signal }) =>
    kernel.toolsmaker.forAgent(principal).buildToolFromIntent(intent as never, { signal }),
)
