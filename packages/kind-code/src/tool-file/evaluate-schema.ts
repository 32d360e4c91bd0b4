import { assertStoredSchema, type JsonSchema, type JsonValue, ToolError } from '@toolcrib/registry'
import type { Sandbox, SandboxFailure, SandboxModule } from '@toolcrib/sandbox'
import { z } from 'zod'
import { schemaModule } from './evaluate-schema-guest.ts'
import { guestModules } from '../modules/guest-modules.ts'
import { runGuest } from './evaluate-schema-run.ts'
import { loadAcorn } from '../source/load-acorn.ts'

/** Where a schema's source is evaluated. */
export interface EvaluateSchemaOptions {
  readonly sandbox: Sandbox
  /** On whose behalf, such as `agent:ada`: owners take turns in the sandbox. @default all those without one take turns as one */
  readonly trialOf?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How long it may compute, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number
}

/** The longest source of a schema, in characters. */
const maxSchemaSourceLength = 65_536

/** What the guest says about a schema. Written by the guest, so it is checked here. */
export const describedSchemaSchema: z.ZodType<{
  readonly schema: unknown
  readonly problems: readonly string[]
}> = z.strictObject({
  schema: z.unknown().optional(),
  problems: z.array(z.string().max(2_000)).max(20),
}) as never

const entry = [
  "import value from 'toolcrib:schema-source'",
  "import { describeSchema } from 'toolcrib:schema'",
  'export default () => describeSchema(value, true)',
].join('\n')

/**
 * Evaluates the source of a schema inside the sandbox and gives it as JSON Schema (draft 2020-12). The source is one expression of
 * zod, such as `z.object({ text: z.string() })`, or the text of a JSON Schema.
 *
 * @throws {ToolError} SCHEMA_INVALID when it is no schema, or cannot be evaluated in the time and memory for it.
 * @throws {ToolError} SCHEMA_UNSUPPORTED when it says more than JSON Schema can, such as `refine`; the message names each place.
 * @throws the signal's reason when it is aborted.
 */
export async function evaluateSchemaSource(
  source: string,
  { sandbox, signal, timeoutMs = 5_000, trialOf }: EvaluateSchemaOptions,
): Promise<JsonSchema> {
  signal?.throwIfAborted()
  if (source.length > maxSchemaSourceLength)
    throw schemaError(
      'SCHEMA_UNSUPPORTED',
      `its source has ${source.length} characters, at most ${maxSchemaSourceLength} are accepted`,
    )
  const written = readJsonText(source)
  if (written !== undefined) return readStoredSchema(written)
  const outcome = await runGuest(moduleFor(readExpression(source)), {
    sandbox,
    signal,
    timeoutMs,
    trialOf,
  })
  if (!outcome.ok) throw guestError(outcome)
  const described = describedSchemaSchema.safeParse(outcome.value)
  if (!described.success)
    throw schemaError('SCHEMA_INVALID', 'what it evaluates to is no schema that can be read')
  return readDescribedSchema(described.data)
}

/**
 * Reads what the guest's `describeSchema` gave.
 *
 * @throws {ToolError} SCHEMA_INVALID or SCHEMA_UNSUPPORTED as {@link evaluateSchemaSource}.
 */
export function readDescribedSchema({
  problems,
  schema,
}: z.infer<typeof describedSchemaSchema>): JsonSchema {
  if (problems.length > 0)
    throw new ToolError('SCHEMA_UNSUPPORTED', `The schema cannot be used. ${problems.join(' ')}`, {
      data: { problems: [...problems] },
    })
  return readStoredSchema(schema)
}

function readStoredSchema(schema: unknown): JsonSchema {
  assertStoredSchema(schema)
  const { $schema: _dialect, ...rest } = schema
  return rest
}

function readJsonText(source: string): JsonValue | undefined {
  if (!/^\s*[[{"]/.test(source)) return undefined
  try {
    return JSON.parse(source) as JsonValue
  } catch {
    // An object literal, perhaps; the sandbox will tell.
    return undefined
  }
}

/** Cuts the source to one expression, so that an error stands in the author's own lines. */
function readExpression(source: string): string {
  try {
    const { end, start } = loadAcorn().parseExpressionAt(source, 0, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      preserveParens: true,
    })
    const rest = source.slice(end).replace(/^[\s;]+$/, '')
    if (rest === '') return source.slice(0, start) + source.slice(start, end)
    throw schemaError(
      'SCHEMA_INVALID',
      `its source must be one expression such as z.object({ text: z.string() }), and then comes: ${rest.trim().slice(0, 80)}`,
    )
  } catch (error) {
    if (error instanceof RangeError)
      throw schemaError('SCHEMA_INVALID', 'its source nests too deep')
    if (!(error instanceof SyntaxError)) throw error
    const { loc } = error as SyntaxError & { loc?: { line: number; column: number } }
    throw schemaError(
      'SCHEMA_INVALID',
      `its source is no expression: ${error.message.replace(/ \(\d+:\d+\)$/, '')}, at line ${loc?.line ?? 1}, column ${(loc?.column ?? 0) + 1}. Write zod such as z.object({ text: z.string() }), or JSON Schema`,
    )
  }
}

function moduleFor(expression: string): SandboxModule {
  return {
    source: entry,
    imports: {
      ...guestModules(),
      'toolcrib:schema': schemaModule,
      // The expression begins at the first character of the second line.
      'toolcrib:schema-source': `import { z } from 'zod'; export default (\n${expression}\n)`,
    },
  }
}

function guestError({ errorName, message, position, reason }: SandboxFailure): ToolError {
  const where =
    position?.module === 'toolcrib:schema-source' && position.line > 1
      ? ` at line ${position.line - 1}, column ${position.column}`
      : ''
  const what =
    reason === 'guest-error' || reason === 'load'
      ? `${errorName ?? 'Error'}: ${message}`
      : `the sandbox ended it (${reason}): ${message}`
  return schemaError(
    'SCHEMA_INVALID',
    `evaluating its source failed${where}: ${what.slice(0, 1_000)}`,
  )
}

function schemaError(code: 'SCHEMA_INVALID' | 'SCHEMA_UNSUPPORTED', problem: string): ToolError {
  return new ToolError(code, `The schema cannot be used: ${problem}.`)
}
