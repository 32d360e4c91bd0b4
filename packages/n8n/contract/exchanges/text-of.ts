/** What a server gave where a text or a number stands, as a text. */
export function textOf(value: unknown): string {
  if (typeof value === 'object')
    throw new TypeError(`A text or a number was expected, got ${JSON.stringify(value)}.`)
  return String(value)
}

/** The id of what a server gave. */
export function idOf(value: unknown): string {
  return textOf((value as { readonly id?: unknown }).id)
}
