/**
 * The text of a number in a template. Whole numbers keep every digit; others are rounded to 15
 * significant digits, which takes away binary noise: 0.1 + 0.2 reads `0.3`.
 */
export function numberToText(value: number): string {
  if (Number.isInteger(value)) return String(value + 0)
  return String(Number(value.toPrecision(15)))
}
