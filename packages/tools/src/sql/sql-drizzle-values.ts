/** Makes JSON of what a driver made of a value: dates as ISO text, bytes as `\x…`, big numbers as text. */
export function toJsonValue(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(toJsonValue)
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]),
    )
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
