import type { ComputeLogic } from '@toolcrib/compute'
import type { JsonSchema, JsonValue } from '@toolcrib/registry'
import type { ToolProposal, ToolSpec } from '@toolcrib/toolsmaker'

/** The program of the shipping example. */
export const shippingProgram: ComputeLogic = {
  steps: [
    { op: 'math', expression: 'weight_kg * 2.50 + 5.00', output: 'base_cost' },
    {
      op: 'condition',
      if: 'weight_kg > 10',
      then: [{ op: 'math', expression: 'base_cost * 0.9', output: 'base_cost' }],
    },
    { op: 'format', template: 'Shipping cost: ${{base_cost}}', output: 'message' },
    { op: 'return', value: 'base_cost' },
  ],
}

/** The same as JSON. */
export const shippingLogic: { steps: Record<string, JsonValue>[] } = structuredClone(
  shippingProgram,
) as never

const weightSchema: JsonSchema = {
  type: 'object',
  properties: { weight_kg: { type: 'number', description: 'Weight in kilograms', minimum: 0 } },
  required: ['weight_kg'],
  additionalProperties: false,
}

/** A spec of the shipping example; fields given replace its own. */
export function shippingSpec(fields: Partial<ToolSpec> = {}): ToolSpec {
  return {
    kind: 'compute',
    name: 'shipping_cost',
    description: 'Works out what shipping costs',
    inputSchema: weightSchema,
    definition: shippingLogic,
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: [],
    risk: 'medium',
    visibility: 'owner',
    owner: 'agent:ada',
    version: 1,
    contentHash: '0'.repeat(64),
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'ada',
    ...fields,
  }
}

/** A proposal with some steps and inputs. */
export function proposalOf(
  steps: readonly unknown[],
  properties: Record<string, JsonValue> = {},
  fields: Partial<ToolSpec> = {},
): ToolProposal {
  const required = Object.keys(properties)
  return {
    spec: shippingSpec({
      definition: { steps } as unknown as JsonValue,
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      ...fields,
    }),
  }
}
