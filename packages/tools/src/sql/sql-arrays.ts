/** Reads one element of an array from its text. */
export type ElementReader = (text: string) => unknown

/**
 * Reads an array as Postgres writes it, `{1,NULL,"a b"}`; several dimensions become arrays of arrays, and other lower
 * bounds than one (`[0:1]={1,2}`) are dropped. Gives the text itself when it is no array.
 */
export function readArray(text: string, readElement: ElementReader): unknown {
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  if (text[start] !== '{') return text
  const stack: unknown[][] = []
  let position = start
  while (position < text.length) {
    const character = text[position]
    if (character === '{') {
      const list: unknown[] = []
      stack.at(-1)?.push(list)
      stack.push(list)
      position += 1
    } else if (character === '}') {
      const list = stack.pop()
      if (stack.length === 0) return list
      position += 1
    } else if (character === ',') {
      position += 1
    } else {
      const element = character === '"' ? readQuoted(text, position) : readBare(text, position)
      stack.at(-1)?.push(element.text === null ? null : readElement(element.text))
      position = element.end
    }
  }
  return text
}

interface Element {
  readonly text: string | null
  readonly end: number
}

function readQuoted(text: string, start: number): Element {
  let result = ''
  let position = start + 1
  while (position < text.length && text[position] !== '"') {
    if (text[position] === '\\') position += 1
    result += text[position] ?? ''
    position += 1
  }
  return { text: result, end: position + 1 }
}

function readBare(text: string, start: number): Element {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  const bare = text.slice(start, end)
  return { text: bare === 'NULL' ? null : bare, end }
}

/** Writes an array for a parameter of an array type; elements that are objects become JSON. */
export function writeArray(values: readonly unknown[]): string {
  return `{${values.map(writeElement).join(',')}}`
}

function writeElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return writeArray(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
