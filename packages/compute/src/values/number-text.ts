const exactDigits = 15

/**
 * The text of a number in a template. Whole numbers keep every digit; others are rounded to 15
 * significant digits, which takes away binary noise: 0.1 + 0.2 reads `0.3`.
 */
export function numberToText(value: number): string {
  const text = String(value + 0)
  // A short text has no noise to take away, and rounding is ten times dearer than looking.
  if (text.length <= exactDigits || Number.isInteger(value)) return text
  return String(Number(value.toPrecision(exactDigits)))
}
