import { ToolError } from './tool-error.ts'

/** Names that Claude, OpenAI and MCP all accept. */
export const toolNamePattern: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

/** Names of properties that every object inherits: a tool called so would be found where no tool is. */
const reservedNames: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
])

/** Tells what is wrong with a tool name, or `undefined` when nothing is. */
export function describeNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string') return `must be text, got ${name === null ? 'null' : typeof name}`
  if (name === '') return 'must not be empty'
  if (name.length > 64) return `must have at most 64 characters, got ${name.length}`
  if (!toolNamePattern.test(name))
    return `may hold only letters a-z and A-Z, digits, "_" and "-", got ${JSON.stringify(name)}`
  if (reservedNames.has(name)) return `is reserved: ${JSON.stringify(name)}`
  return undefined
}

/**
 * Checks a tool name: 1 to 64 of `a-z A-Z 0-9 _ -`, and not the name of something that every object inherits.
 *
 * @throws {ToolError} TOOL_NAME_INVALID when the name breaks the rule.
 */
export function assertToolName(name: unknown): asserts name is string {
  const problem = describeNameProblem(name)
  if (problem === undefined) return
  throw new ToolError('TOOL_NAME_INVALID', `Tool name ${problem}. Choose another name.`, {
    data: { name: typeof name === 'string' ? name.slice(0, 200) : typeof name },
  })
}
