import type { InputHints } from '@toolcrib/compute/schema'
import {
  canonicalJson,
  type JsonObject,
  type JsonSchema,
  ToolError,
  validateWithSchema,
} from '@toolcrib/registry'
import { isJsonObject } from '../compute-inputs.ts'
import { candidatesFor } from './input-candidates.ts'

const noHints: InputHints = { inputs: new Map(), numbers: new Set(), strings: new Set() }

/** How inputs are generated. */
export interface GenerateInputsOptions {
  /** What the program says about its inputs, as `readInputHints` of `@toolcrib/compute/schema` gives it. */
  readonly hints?: InputHints
  /** At most this many. @default 8 */
  readonly maxInputs?: number
  /** Longer ones, in characters of JSON, are left out. @default 4_096 */
  readonly maxInputLength?: number
}

async function fits(schema: JsonSchema, input: JsonObject): Promise<boolean> {
  try {
    const outcome = await validateWithSchema(schema, input)
    return outcome.valid
  } catch (error) {
    if (ToolError.is(error, 'SCHEMA_INVALID')) return false
    throw error
  }
}

/**
 * Makes a handful of inputs from an object schema: only what must be there (so that defaults are used), then ordinary
 * values, the ends of ranges, the choices of an enum. The same schema always gives the same inputs, and every one of
 * them satisfies it. None come out where the schema asks for more than this understands.
 */
export async function generateInputs(
  schema: JsonSchema,
  options: GenerateInputsOptions = {},
): Promise<readonly JsonObject[]> {
  const { hints = noHints, maxInputs = 8, maxInputLength = 4_096 } = options
  const inputs = new Map<string, JsonObject>()
  const context = {
    root: schema,
    hints,
    depth: 0,
    // Some candidates will turn out alike or not to fit.
    maxCandidates: maxInputs + 4,
    budget: { left: 5_000 },
  }
  for (const candidate of candidatesFor(schema, context)) {
    if (inputs.size >= maxInputs) break
    if (!isJsonObject(candidate)) continue
    const text = canonicalJson(candidate)
    if (text.length > maxInputLength || inputs.has(text)) continue
    // oxlint-disable-next-line no-await-in-loop -- stops as soon as there are enough
    if (await fits(schema, candidate)) inputs.set(text, candidate)
  }
  return [...inputs.values()]
}
