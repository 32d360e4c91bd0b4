import { ToolError, assertStoredSchema, canonicalJson, type JsonValue } from '@toolcrib/registry'
import { z } from 'zod'
import { toolCapabilities } from './capability.ts'
import { type ToolsmakerErrorCode, toolsmakerError } from '../error-catalogue.ts'
import { describeProposedNameProblem } from './meaningful-name.ts'
import { type ProposalLimits, defaultProposalLimits } from './proposal-limits.ts'
import type { ToolBuildRequest } from './tool-build-request.ts'

const kindPattern = /^[a-z][a-z0-9-]{0,31}$/

function bounded(maximum: number): (value: unknown) => boolean {
  return (value) => canonicalJson(value as JsonValue).length <= maximum
}

/** The zod schema of a build request under some limits. It expects a plain copy. */
function buildRequestSchema(limits: ProposalLimits = {}): z.ZodType<ToolBuildRequest> {
  const {
    maxDefinitionLength,
    maxDescriptionLength,
    maxEntryLength,
    maxExamples,
    maxExamplesLength,
    maxListEntries,
    maxProvenanceLength,
    maxSchemaLength,
  } = { ...defaultProposalLimits, ...limits }
  const entries = z.array(z.string().min(1).max(maxEntryLength)).max(maxListEntries).default([])
  const record = z.record(z.string(), z.unknown())
  const schema = record.superRefine((value, context) => {
    try {
      assertStoredSchema(value, { maxLength: maxSchemaLength })
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: ToolError.is(error) ? error.message : 'is wrong',
      })
    }
  })
  return z.strictObject({
    kind: z.string().regex(kindPattern, 'must be lower-case letters, digits and "-"'),
    name: z.string().max(200),
    description: z
      .string()
      .max(maxDescriptionLength)
      .refine((text) => text.trim() !== '', 'must say what the tool does'),
    inputSchema: schema.refine(
      (value) => value['type'] === 'object',
      'must be of type "object": models and MCP call tools with named inputs',
    ),
    outputSchema: schema.optional(),
    definition: z
      .unknown()
      .refine((value) => value !== undefined && value !== null, 'is missing')
      .refine(bounded(maxDefinitionLength), `must have at most ${maxDefinitionLength} characters`),
    capabilities: z
      .array(z.enum(toolCapabilities))
      .max(toolCapabilities.length)
      .refine((list) => new Set(list).size === list.length, 'must not name one twice')
      .default([]),
    allowedPaths: entries,
    allowedDomains: entries,
    secrets: entries,
    callees: entries,
    limits: z
      .strictObject({
        timeoutMs: z.number().int().positive().max(2_147_483_647).optional(),
        maxInputBytes: z.number().int().positive().optional(),
        maxOutputBytes: z.number().int().positive().optional(),
        maxConcurrent: z.number().int().positive().optional(),
      })
      .default({}),
    examples: z
      .array(
        z.strictObject({
          input: record,
          expected: z.unknown().optional(),
          fixtures: z
            .array(
              z.strictObject({
                operation: z.string().min(1).max(100),
                argument: z.unknown().optional(),
                result: z.unknown().optional(),
                error: z.string().max(maxEntryLength).optional(),
              }),
            )
            .max(100)
            .optional(),
          note: z.string().max(maxEntryLength).optional(),
        }),
      )
      .max(maxExamples)
      .refine(bounded(maxExamplesLength), `must have at most ${maxExamplesLength} characters`)
      .default([]),
    risk: z.enum(['low', 'medium', 'high']).default('medium'),
    visibility: z.enum(['owner', 'shared']).optional(),
    provenance: record
      .refine(bounded(maxProvenanceLength), `must have at most ${maxProvenanceLength} characters`)
      .optional(),
    // Everything in it is JSON already, which zod's `unknown` cannot say.
  }) as unknown as z.ZodType<ToolBuildRequest>
}

/**
 * Checks a plain copy of a build request.
 *
 * @throws {ToolError} REQUEST_INVALID, TOOL_NAME_INVALID or TOOL_NAME_NOT_MEANINGFUL.
 */
export function parseBuildRequest(copy: JsonValue, limits: ProposalLimits = {}): ToolBuildRequest {
  const request = parseStrict(buildRequestSchema(limits), copy, {
    what: 'build request',
    code: 'REQUEST_INVALID',
  })
  assertProposedName(request.name)
  return request
}

/**
 * Checks the name of a proposal.
 *
 * @throws {ToolError} TOOL_NAME_NOT_MEANINGFUL when it breaks the rule for names, or says nothing.
 */
function assertProposedName(name: string): void {
  const problem = describeProposedNameProblem(name)
  if (problem === undefined) return
  throw toolsmakerError('TOOL_NAME_NOT_MEANINGFUL', `Tool name ${problem}. Choose another name.`, {
    data: { field: 'name', name: name.slice(0, 200) },
  })
}

/** Parses with a schema; the error names the first wrong field, its rule and its value. */
export function parseStrict<Value>(
  schema: z.ZodType<Value>,
  value: JsonValue,
  { code, what }: { readonly what: string; readonly code: ToolsmakerErrorCode },
): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue, ...others] = parsed.error.issues
  const path = issue?.path ?? []
  const field = path.map(String).join('.')
  const shown = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )
  const got = shown === undefined ? 'nothing' : JSON.stringify(shown).slice(0, 120)
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw toolsmakerError(
    code,
    `The ${what} cannot be used: ${field === '' ? '' : `${field}: `}${issue?.message}, got ${got}${more}.`,
    { data: { field } },
  )
}
