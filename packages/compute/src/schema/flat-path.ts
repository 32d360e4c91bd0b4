/** One part of the path of a flat declaration: a field by name, or the items of an array. */
export type FlatPathPart = { readonly field: string } | 'items'

const isPlainName = (name: string): boolean =>
  name !== '' && !/[^A-Za-z0-9_]/.test(name) && !/^[0-9]/.test(name)

/** A path with one more part: `.name`, `["any name"]` or `[]`. */
export function extendFlatPath(path: string, part: FlatPathPart): string {
  if (part === 'items') return `${path}[]`
  return isPlainName(part.field)
    ? `${path}.${part.field}`
    : `${path}[${JSON.stringify(part.field)}]`
}

/** Where the JSON string that starts at `from` ends, -1 where it does not. */
function stringEnd(path: string, from: number): number {
  let at = from + 1
  while (at < path.length && path.charAt(at) !== '"') at += path.charAt(at) === '\\' ? 2 : 1
  return at < path.length ? at + 1 : -1
}

function readQuoted(path: string, from: number): { field: string; end: number } | undefined {
  const end = stringEnd(path, from)
  if (end < 0 || path.charAt(end) !== ']') return undefined
  try {
    return { field: String(JSON.parse(path.slice(from, end))), end: end + 1 }
  } catch {
    // No valid escape in it.
    return undefined
  }
}

/** The root and the parts of a path, or undefined where it is none. */
export function parseFlatPath(
  path: string,
): { readonly root: string; readonly parts: readonly FlatPathPart[] } | undefined {
  const root = path.split(/[.[]/, 1)[0] ?? ''
  const parts: FlatPathPart[] = []
  let at = root.length
  while (at < path.length) {
    if (path.startsWith('[]', at)) {
      parts.push('items')
      at += 2
    } else if (path.startsWith('["', at)) {
      const quoted = readQuoted(path, at + 1)
      if (quoted === undefined) return undefined
      parts.push({ field: quoted.field })
      at = quoted.end
    } else {
      const name = path.charAt(at) === '.' ? (path.slice(at + 1).split(/[.[]/, 1)[0] ?? '') : ''
      if (name === '') return undefined
      parts.push({ field: name })
      at += name.length + 1
    }
  }
  return { root, parts }
}
