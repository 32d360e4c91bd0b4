/** Whether a path goes on after `key` with another key, or ends. */
function startsWithKey(rest: string, key: string): boolean {
  const next = rest.charAt(key.length)
  return rest.startsWith(key) && (next === '' || next === '.' || next === '[')
}

function longestKey(value: unknown, rest: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  let longest: string | undefined
  for (const key of Object.keys(value)) {
    if (startsWithKey(rest, key) && key.length >= (longest?.length ?? 0)) longest = key
  }
  return longest
}

/** The next key of a path and how many characters it takes. */
function nextKey(value: unknown, rest: string): readonly [string | number, number] {
  const known = longestKey(value, rest)
  if (known !== undefined && known !== '') return [known, known.length]
  const end = rest.startsWith('[') ? rest.indexOf(']') : -1
  if (end > 0) return [Number(rest.slice(1, end)), end + 1]
  const name = rest.split(/[.[]/, 1)[0] ?? ''
  return name === '' ? [rest, rest.length] : [name, name.length]
}

function keysIn(value: unknown, path: string): (string | number)[] {
  const keys: (string | number)[] = []
  let current: unknown = value
  let rest = path
  while (rest !== '') {
    const [key, length] = nextKey(current, rest)
    keys.push(key)
    current = (current as Record<string | number, unknown> | null | undefined)?.[key]
    rest = rest.slice(length)
    if (rest.startsWith('.')) rest = rest.slice(1)
  }
  return keys
}

/**
 * The path of an issue as a list of keys. Names of returned fields may hold dots and brackets, so the value itself is
 * asked which keys it has.
 */
export function issueKeys(value: unknown, path: string): readonly (string | number)[] {
  try {
    return keysIn(value, path)
  } catch {
    // Reading a caller's object may throw anything; the path alone says enough.
    return keysIn(undefined, path)
  }
}
