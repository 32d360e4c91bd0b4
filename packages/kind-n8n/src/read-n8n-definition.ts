import type { N8nWorkflow } from '@toolcrib/n8n'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { z } from 'zod'
import type { N8nDefinition } from './n8n-definition.ts'

/** Of the workflow itself only that it is an object: `validateWorkflow` has better words for the rest. */
const definitionSchema = z.strictObject({
  workflow: z.custom<N8nWorkflow>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be a workflow: { "name", "nodes", "connections", "settings" }' },
  ),
  template: z
    .strictObject({
      slug: z.string().min(1).max(200),
      customizations: z.custom<JsonObject>(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        { error: 'must be an object' },
      ),
    })
    .optional(),
})

/** Reads a definition of kind `n8n`, or says what is wrong with it. */
export function readN8nDefinition(
  value: JsonValue,
): { readonly definition: N8nDefinition } | { readonly problem: string } {
  const parsed = definitionSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = ['definition', ...(issue?.path ?? [])].join('.')
    return {
      problem: `${place}: ${issue?.message ?? 'it cannot be read'}. A definition is { "workflow": { … } }.`,
    }
  }
  const { template, workflow } = parsed.data
  return { definition: { workflow, ...(template === undefined ? {} : { template }) } }
}

/**
 * The definition of a spec that was checked before.
 *
 * @throws {Error} when it is none.
 */
export function n8nDefinitionOf({ definition }: { readonly definition: JsonValue }): N8nDefinition {
  const read = readN8nDefinition(definition)
  if ('problem' in read) throw new Error(read.problem)
  return read.definition
}
