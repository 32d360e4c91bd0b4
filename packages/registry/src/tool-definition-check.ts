import { isPlainObject } from './plain-object.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { ToolError } from './tool-error.ts'
import { assertToolName } from './tool-name.ts'
import { describeSchemaProblem } from './schema-problem.ts'

/** The longest description that a tool may have, in characters. */
export const maxDescriptionLength = 16_384

/** The longest timeout that timers can hold, in milliseconds (24.8 days). */
export const maxTimeoutMs = 2_147_483_647

/**
 * Checks the fields of a tool definition, without touching what its schemas say.
 *
 * @throws {ToolError} TOOL_NAME_INVALID when the name breaks the rule.
 * @throws {ToolError} TOOL_DEFINITION_INVALID when another field is missing or out of range.
 */
export function assertToolDefinition(tool: ToolDefinition): void {
  if (typeof tool !== 'object' || tool === null)
    throw new ToolError('TOOL_DEFINITION_INVALID', `A tool must be an object, got ${typeof tool}.`)
  assertToolName(tool.name)
  assertSchema(tool, 'inputSchema')
  if (tool.outputSchema !== undefined) assertSchema(tool, 'outputSchema')
  for (const { field, rule, holds } of fieldRules) {
    const value: unknown = tool[field]
    if (holds(value)) continue
    throw new ToolError(
      'TOOL_DEFINITION_INVALID',
      `Tool "${tool.name}": ${field} ${rule}, got ${describe(value)}.`,
      { data: { name: tool.name, field } },
    )
  }
}

function assertSchema(tool: ToolDefinition, field: 'inputSchema' | 'outputSchema'): void {
  const problem = describeSchemaProblem(tool[field])
  if (problem === undefined) return
  throw new ToolError(
    'TOOL_DEFINITION_INVALID',
    `Tool "${tool.name}": ${field} must be a Standard Schema or a JSON Schema, ${problem}.`,
    { data: { name: tool.name, field } },
  )
}

interface FieldRule {
  readonly field: keyof ToolDefinition
  readonly rule: string
  readonly holds: (value: unknown) => boolean
}

const fieldRules: readonly FieldRule[] = [
  {
    field: 'description',
    rule: `must say what the tool does, in at most ${maxDescriptionLength} characters`,
    holds: (value) =>
      typeof value === 'string' && value.trim() !== '' && value.length <= maxDescriptionLength,
  },
  {
    field: 'timeoutMs',
    rule: `must be a number above 0 and at most ${maxTimeoutMs}`,
    holds: (value) => isOptionalUpTo(value, maxTimeoutMs),
  },
  {
    field: 'maxInputBytes',
    rule: 'must be a number above 0',
    holds: (value) => isOptionalUpTo(value, Infinity),
  },
  {
    field: 'maxOutputBytes',
    rule: 'must be a number above 0',
    holds: (value) => isOptionalUpTo(value, Infinity),
  },
  {
    field: 'maxConcurrent',
    rule: 'must be a number above 0',
    holds: (value) => isOptionalUpTo(value, Infinity),
  },
  {
    field: 'risk',
    rule: 'must be "low", "medium" or "high"',
    holds: (value) =>
      value === undefined || value === 'low' || value === 'medium' || value === 'high',
  },
  {
    field: 'source',
    rule: 'must have the type "built-in", "mcp" or "made", and a made one the visibility "owner" or "shared"',
    holds: isOptionalSource,
  },
  { field: 'execute', rule: 'must be a function', holds: (value) => typeof value === 'function' },
]

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100))
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

// Who may see a tool follows from its source, so a misspelt one must not pass for that of a built-in tool.
function isOptionalSource(source: unknown): boolean {
  if (source === undefined) return true
  if (!isPlainObject(source)) return false
  const { type, visibility } = source
  if (type === 'made') return visibility === 'owner' || visibility === 'shared'
  return type === 'built-in' || type === 'mcp'
}

function isOptionalUpTo(value: unknown, maximum: number): boolean {
  return value === undefined || (typeof value === 'number' && value > 0 && value <= maximum)
}
