/** The JSON types of a value as bits, so that a set of types is one number. Integers are numbers. */
export const valueTypes = {
  number: 1,
  string: 2,
  boolean: 4,
  null: 8,
  array: 16,
  object: 32,
} as const

/** Every type at once: nothing is known. */
export const anyType = 63

/** The names in a set of types, joined by "or". */
export function typeNames(mask: number): string {
  const names = Object.entries(valueTypes).filter(([, bit]) => (mask & bit) !== 0)
  return names.length === 6 ? 'any value' : names.map(([name]) => name).join(' or ')
}

/** How to get a value of one of the types that are wanted from what there is. */
export function typeHint(wanted: number, got: number): string {
  const { number, string, boolean } = valueTypes
  if (wanted === boolean) return 'Compare it with something, for example x > 0.'
  if (got === number && wanted & string) return 'Write string(x) to make it a string.'
  if (got === string && wanted & number) return 'Write number(x) if it holds a number.'
  return `Use a value that is ${typeNames(wanted)}.`
}
