import type { JsonValue } from '@toolcrib/registry'
import { z } from 'zod'
import { toolsmakerError } from '../error-catalogue.ts'
import { boundSentences } from '../kind/bound-sentences.ts'
import { copyPlain } from '../plain-copy.ts'
import type { OutsideState } from '../tool-kind.ts'
import type { ToolContent } from '../tool-spec.ts'
import { boundEvidence } from './bound-evidence.ts'
import type { EvidenceRun, ValidationCheck } from './validation-report.ts'

const maxSentences = 200
const maxSentenceLength = 2_000
const maxRuns = 200
const maxOperations = 200
const maxValueLength = 4_096

// What is left out is said, for a review that does not tell all of a definition shows the definition.
const sentencesSchema = z
  .array(z.string().transform((text) => text.toWellFormed()))
  .transform(boundSentences)

const checksSchema = z
  .array(
    z.object({
      name: z.string().min(1).max(100),
      pass: z.boolean(),
      message: z.string().transform((text) => text.slice(0, maxSentenceLength).toWellFormed()),
    }),
  )
  .max(maxSentences)

const evidenceSchema = z
  .array(
    z.object({
      input: z.unknown(),
      expected: z.unknown().optional(),
      actual: z.unknown().optional(),
      error: z
        .string()
        .transform((text) => text.slice(0, maxSentenceLength).toWellFormed())
        .optional(),
      pass: z.boolean(),
      durationMs: z.number().nonnegative(),
      origin: z.enum(['author', 'generated']),
      operations: z
        .array(
          z.object({
            operation: z.string().min(1).max(100),
            argument: z.unknown(),
            answer: z.enum(['fixture', 'none', 'refused']),
          }),
        )
        .transform((list) => list.slice(0, maxOperations))
        .optional(),
    }),
  )
  .transform((runs) => runs.slice(0, maxRuns))

const reasonSchema = z.string().transform((text) => text.slice(0, maxSentenceLength).toWellFormed())

const outsideSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('intact') }),
  z.object({ state: z.literal('changed'), reason: reasonSchema }),
  z.object({ state: z.literal('unknown'), reason: reasonSchema }),
])

/** Reads what a kind found outside. @throws {ToolError} KIND_FAILED when it is no such thing. */
export function readOutsideState(kind: string, value: unknown): OutsideState {
  return read<OutsideState>(kind, outsideSchema, value)
}

/** Reads a kind's sentences. @throws {ToolError} KIND_FAILED when they are none. */
export function readSentences(kind: string, value: unknown): readonly string[] {
  return read(kind, sentencesSchema, value)
}

/** Reads a kind's checks. @throws {ToolError} KIND_FAILED when they are none. */
export function readChecks(kind: string, value: unknown): readonly ValidationCheck[] {
  return read(kind, checksSchema, value)
}

/**
 * Reads a kind's evidence about a tool; large values are replaced by their beginning, and all together are bounded by the size of the
 * tool. @throws {ToolError} KIND_FAILED when it is none.
 */
export function readEvidence(
  kind: string,
  value: unknown,
  content: Pick<ToolContent, 'definition' | 'examples'>,
): readonly EvidenceRun[] {
  const runs = read(kind, evidenceSchema, value) as readonly EvidenceRun[]
  const shortened = runs.map((run) => {
    const { actual, expected, input, operations, ...rest } = run
    return {
      ...rest,
      input: shorten(input),
      ...(expected === undefined ? {} : { expected: shorten(expected) }),
      ...(actual === undefined ? {} : { actual: shorten(actual) }),
      ...(operations === undefined
        ? {}
        : {
            operations: operations.map(({ answer, argument, operation }) => ({
              operation,
              argument: shorten(argument ?? null),
              answer,
            })),
          }),
    }
  })
  return boundEvidence(shortened, content)
}

function shorten(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  return text.length <= maxValueLength
    ? value
    : `${text.slice(0, maxValueLength).toWellFormed()}… (cut)`
}

function read<Value>(kind: string, schema: z.ZodType<Value>, value: unknown): Value {
  const copy = copyPlain(value, {
    what: `answer of kind ${kind}`,
    code: 'KIND_FAILED',
    maxCharacters: 64_000_000,
    maxValues: 5_000_000,
  })
  const parsed = schema.safeParse(copy)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw toolsmakerError(
    'KIND_FAILED',
    `The kind ${kind} gave an answer of the wrong form: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  )
}
