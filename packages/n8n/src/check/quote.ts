/** Longer values are cut in messages. */
const maxShownLength = 80

/** A value as it stands in a message: as JSON, cut, without control characters and broken halves of characters. */
export function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object'
  if (typeof value !== 'string') return String(value)
  const shown = value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value
  return JSON.stringify(shown.toWellFormed())
}

/** Names one by one, the last with `or`. */
export function either(names: readonly unknown[]): string {
  const shown = names.map((name) => quote(name))
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`
}

/** Adds a key to a path such as `nodes[2].parameters`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const isPlain = /^[A-Za-z_$][\w$]{0,60}$/.test(key)
  if (!isPlain) return `${path}[${quote(key)}]`
  return path === '' ? key : `${path}.${key}`
}
