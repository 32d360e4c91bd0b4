/** A value for an error message: as JSON, cut, whatever it is. */
export function showValue(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 100).toWellFormed()
  } catch {
    return typeof value
  }
}
