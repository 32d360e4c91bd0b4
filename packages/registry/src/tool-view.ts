import { type SchemaView, viewSchema } from './schema-view.ts'
import type { ToolAnnotations, ToolDefinition, ToolRisk } from './tool-definition.ts'
import type { ToolSource } from './tool-source.ts'

interface ToolFacts {
  readonly name: string
  readonly description: string
  readonly risk: ToolRisk
  readonly source: ToolSource
  readonly annotations?: ToolAnnotations
}

/**
 * A tool as agents, models and clients get it: everything that is known of it, and no way to run it. A tool whose schema
 * cannot be shown says so in `problem` and harms no other. Nobody can change a view.
 */
export type ToolView = ToolFacts &
  (
    | {
        readonly input: SchemaView
        readonly output?: SchemaView | undefined
        readonly problem?: undefined
      }
    | { readonly problem: string }
  )

interface SchemaViews {
  readonly input?: SchemaView
  readonly output?: SchemaView
  readonly problem?: string
}

/** A tool's view. Its schemas are converted when they are first read. Never throws: see `problem`. */
export function viewTool(tool: ToolDefinition): ToolView {
  const { annotations, description, inputSchema, name, outputSchema } = tool
  const { source = { type: 'built-in' } } = tool
  const { risk = source.type === 'made' ? 'medium' : 'low' } = tool
  let schemas: SchemaViews | undefined
  const read = (): SchemaViews => (schemas ??= viewSchemas(inputSchema, outputSchema))
  const view = {
    name,
    description,
    risk,
    source: Object.freeze({ ...source }),
    ...(annotations !== undefined && { annotations: Object.freeze({ ...annotations }) }),
    get input() {
      return read().input
    },
    get output() {
      return read().output
    },
    get problem() {
      return read().problem
    },
  }
  // Either `input` or `problem` is there, which a pair of getters cannot say.
  return Object.freeze(view) as ToolView
}

function viewSchemas(
  inputSchema: ToolDefinition['inputSchema'],
  outputSchema: ToolDefinition['outputSchema'],
): SchemaViews {
  try {
    const input = viewSchema(inputSchema)
    if (input.schema['type'] !== 'object')
      return {
        problem: 'The input schema does not describe an object, which models and MCP require.',
      }
    return outputSchema === undefined
      ? { input }
      : { input, output: viewSchema(outputSchema, 'output') }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
