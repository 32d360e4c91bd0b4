import type { JsonValue } from '@toolcrib/registry'
import { makeVisible } from '@toolcrib/toolsmaker/kind'
import { shownSource, shownSourceLine } from './shown-source.ts'
import { layOutSource } from './terminal-rows.ts'

/**
 * All of a definition: JSON in as few rows as it fits in, then each text of more than one line, such as a source, with the numbers
 * of its lines.
 */
export function shownDefinition(definition: JsonValue, columns: number): readonly string[] {
  const texts: string[] = []
  const json = layOutJson(definition, { depth: 0, columns, texts })
  return [
    ...json.flatMap((line) =>
      layOutSource(shownSourceLine(makeVisible(line)), { columns, first: '  ', rest: '  ↪ ' }),
    ),
    ...texts.flatMap((text, index) => [
      `  ${nameOf(index)}:`,
      ...shownSource(makeVisible(text), columns),
    ]),
  ]
}

interface JsonLayout {
  readonly depth: number
  readonly columns: number
  /** Takes what is shown below. */
  readonly texts: string[]
}

/** As deep as lines are indented. */
const deepestIndent = 12

function layOutJson(value: JsonValue, { columns, depth, texts }: JsonLayout): readonly string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    texts.push(value)
    return [nameOf(texts.length - 1)]
  }
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)]
  const isList = Array.isArray(value)
  const entries = Object.entries(value as Record<string, JsonValue>)
  const parts = entries.map(([key, entry], index) => {
    const [first = '', ...rest] = layOutJson(entry, { depth: depth + 1, columns, texts })
    const lines = [`${isList ? '' : `${JSON.stringify(key)}: `}${first}`, ...rest]
    const comma = index === entries.length - 1 ? '' : ','
    return lines.map((line, row) => (row === lines.length - 1 ? `${line}${comma}` : line))
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const inner = parts.map(([only = '']) => only).join(' ')
  const isShort = inner.length + 2 * Math.min(depth, deepestIndent) + 6 <= columns
  if (isShort && parts.every(({ length }) => length === 1)) return [`${open}${inner}${close}`]
  const indent = depth < deepestIndent ? '  ' : ''
  return [open, ...parts.flat().map((line) => `${indent}${line}`), close]
}

function nameOf(index: number): string {
  // No text of an author stands in such brackets without quotation marks.
  return `⟨text ${index + 1}⟩`
}
