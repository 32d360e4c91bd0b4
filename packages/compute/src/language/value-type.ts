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
