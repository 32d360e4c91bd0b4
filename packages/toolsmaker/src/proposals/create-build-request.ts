import { type JsonObject, type JsonValue, assertOptions } from '@toolcrib/registry'
import { z } from 'zod'
import { parseBuildRequest, parseStrict } from './build-request-schema.ts'
import { copyPlain } from '../plain-copy.ts'
import { type ProposalLimits, proposalLimitNames } from './proposal-limits.ts'
import { isSchemaForm, parametersToSchema } from '../projections/seed-parameters.ts'
import type { ToolBuildRequest } from './tool-build-request.ts'
import type { ToolIntent } from './tool-intent.ts'

const record = z.record(z.string(), z.unknown())

// Only what differs from a build request is checked here; everything else is checked there, under the same names.
const intentSchema = z.strictObject({
  name: z.string(),
  purpose: z.string(),
  inputs: record.optional(),
  outputs: z.union([z.array(z.string().max(200)).max(100), record]).optional(),
  capabilities: z.unknown().optional(),
  allowedPaths: z.unknown().optional(),
  allowedDomains: z.unknown().optional(),
  secrets: z.unknown().optional(),
  callees: z.unknown().optional(),
  risk: z.unknown().optional(),
  kind: z.unknown().optional(),
  definition: z.unknown(),
  examples: z.unknown().optional(),
  limits: z.unknown().optional(),
  visibility: z.unknown().optional(),
  provenance: record.optional(),
})

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const parameterSchema = z.looseObject({
  type: z.string().refine((type) => jsonTypes.has(type), {
    message: `must be one of ${[...jsonTypes].join(', ')}`,
  }),
  description: z.string().optional(),
})

/**
 * Turns what an agent wants into a checked build request. Pure: it looks at nothing but the intent, of which it takes a
 * copy first.
 *
 * @throws {ToolError} INTENT_INVALID or REQUEST_INVALID when a field is wrong; the message names the field, rule and value.
 * @throws {ToolError} TOOL_NAME_NOT_MEANINGFUL when the name says nothing about the tool.
 */
export function createBuildRequestFromIntent(
  intent: ToolIntent,
  options: { readonly limits?: ProposalLimits } = {},
): ToolBuildRequest {
  assertOptions<typeof options>('createBuildRequestFromIntent', options, {
    limits: proposalLimitNames,
  })
  const code = 'INTENT_INVALID'
  const copy = copyPlain(intent, { what: 'intent', code })
  const { inputs, kind, outputs, provenance, purpose, ...same } = parseStrict(intentSchema, copy, {
    what: 'intent',
    code,
  })
  const outputSchema = toOutputSchema(outputs as JsonValue | undefined)
  const outputNames = Array.isArray(outputs) ? { outputs } : undefined
  const origin = provenance ?? outputNames
  return parseBuildRequest(
    {
      ...(same as JsonObject),
      kind: (kind as string | undefined) ?? 'compute',
      description: purpose,
      inputSchema: toSchema((inputs ?? {}) as JsonObject, 'inputs'),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(origin === undefined ? {} : { provenance: { ...outputNames, ...origin } as JsonObject }),
    },
    options.limits,
  )
}

function toSchema(value: JsonObject, field: 'inputs' | 'outputs'): JsonObject {
  if (isSchemaForm(value)) return value
  const named = parseStrict(
    z.strictObject({ [field]: z.record(z.string(), parameterSchema) }),
    {
      [field]: value,
    },
    { what: 'intent', code: 'INTENT_INVALID' },
  )
  return parametersToSchema(named[field] as JsonObject)
}

// A list of names says nothing about types, so it is kept as a remark and not enforced.
function toOutputSchema(outputs: JsonValue | undefined): JsonObject | undefined {
  if (outputs === undefined || Array.isArray(outputs)) return undefined
  return toSchema(outputs as JsonObject, 'outputs')
}
