// oxlint-disable-next-line no-control-regex -- NUL is what is looked for
const harmless = /^[^\u0000\ud800-\udfff]*$/

/**
 * Makes a text fit for a Postgres text column. Postgres refuses NUL, and a lone surrogate has no UTF-8: both become
 * their JSON escapes, which mean the same inside JSON text. Every other text is kept as it is.
 */
export function toStoredText(text: string): string {
  if (harmless.test(text)) return text
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', String.raw`\u0000`) : text
  if (withoutNul.isWellFormed()) return withoutNul
  return withoutNul.replaceAll(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16)}`,
  )
}

let cachedSecond = -1
let cachedPrefix = ''

/** Writes milliseconds since the epoch, which are in range, as a Postgres timestamp with microseconds at most. */
export function toTimestamp(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000)
  const second = Math.floor(microseconds / 1_000_000)
  if (second !== cachedSecond) {
    cachedSecond = second
    cachedPrefix = new Date(second * 1000).toISOString().slice(0, 20)
  }
  return `${cachedPrefix}${String(microseconds - second * 1_000_000).padStart(6, '0')}Z`
}
