/** What a server gave where a text or a number stands, as a text. */
export function textOf(value: unknown): string {
  if (value === undefined || typeof value === 'string' || typeof value === 'number')
    return String(value)
  throw new TypeError(`A text or a number was expected, got ${JSON.stringify(value)}.`)
}

/** The id of what a server gave. */
export function idOf(value: unknown): string {
  return textOf((value as { readonly id?: unknown }).id)
}
