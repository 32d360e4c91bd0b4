import { basename } from 'node:path'
import { describeNameProblem } from '@toolcrib/registry'
import { quoteShown } from '@toolcrib/toolsmaker/kind'

/** What the name of a file says. */
export interface DynamicFileName {
  readonly agentId: string
  readonly toolName: string
}

const pattern = /^agent_(?<agentId>[^_]+)_(?<toolName>.+)\.ts$/
const agentPattern = /^[a-zA-Z0-9][a-zA-Z0-9.@-]{0,99}$/

/** Whether a file of the folder is looked at: TypeScript, and nothing that an editor or a compiler leaves there. */
export function isDynamicFile(file: string): boolean {
  const name = basename(file)
  return name.endsWith('.ts') && !name.endsWith('.d.ts') && !/^[.#~]/.test(name)
}

/** Reads a name such as `agent_ada_shipping_cost.ts`, or tells what is wrong with it. */
export function readDynamicFileName(file: string): DynamicFileName | string {
  const { agentId, toolName } = pattern.exec(basename(file))?.groups ?? {}
  if (agentId === undefined || toolName === undefined)
    return 'The file must be called agent_{agentId}_{toolName}.ts, such as agent_ada_shipping_cost.ts.'
  if (!agentPattern.test(agentId))
    return `The agent's id in the file's name may hold at most 100 letters, digits, ".", "@" and "-", a letter or digit first, got ${quoteShown(agentId.slice(0, 101))}.`
  if (toolName.startsWith('mcp__'))
    return `The tool's name in the file's name begins with "mcp__", as those of MCP servers do. Choose another name.`
  const problem = describeNameProblem(toolName)
  return problem === undefined
    ? { agentId, toolName }
    : `The tool's name in the file's name ${problem}.`
}
