import type { JsonSchema, JsonValue } from '@toolcrib/registry'

function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

interface NumberRange {
  readonly low: number
  readonly high: number
  /** Distance between numbers that fit. */
  readonly step: number
  readonly isWhole: boolean
}

function readRange(schema: JsonSchema, isWhole: boolean): NumberRange {
  const multiple = asNumber(schema['multipleOf'])
  const above = asNumber(schema['exclusiveMinimum']) ?? -Infinity
  const below = asNumber(schema['exclusiveMaximum']) ?? Infinity
  const from = asNumber(schema['minimum']) ?? -Infinity
  const to = asNumber(schema['maximum']) ?? Infinity
  const width = Math.min(to, below) - Math.max(from, above)
  const step = multiple ?? (isWhole ? 1 : Math.min(0.5, width > 0 ? width / 4 : 0.5))
  return {
    low: Math.max(from, above + step),
    high: Math.min(to, below - step),
    step,
    isWhole: isWhole || multiple !== undefined,
  }
}

/** Moves a number into the range and onto its grid. */
function fit(value: number, { low, high, step, isWhole }: NumberRange): number {
  const bounded = Math.min(Math.max(value, low), high)
  if (!isWhole) return bounded
  const rounded = Math.round(bounded / step) * step
  if (rounded < low) return rounded + step
  return rounded > high ? rounded - step : rounded
}

/**
 * Numbers that are worth trying: an ordinary one, the ends of the range, those that conditions compare with and their
 * neighbours, zero, a negative one and a fraction. Not all of them need fit the schema.
 */
export function numberCandidates(
  schema: JsonSchema,
  { isWhole, hints }: { readonly isWhole: boolean; readonly hints: readonly number[] },
): readonly number[] {
  const range = readRange(schema, isWhole)
  const ends = [range.low, range.high].filter((end) => Number.isFinite(end))
  const near = hints.slice(0, 3).flatMap((hint) => [hint, hint + range.step])
  const unit = range.isWhole ? range.step : 1
  const wanted = [unit, ...ends, ...near, 0, -unit, ...(range.isWhole ? [] : [2.5])]
  const fitted = wanted.map((value) => fit(value, range) + 0).filter(Number.isFinite)
  return [...new Set(fitted)]
}
