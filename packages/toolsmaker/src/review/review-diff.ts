import type { JsonValue } from '@toolcrib/registry'
import { createTwoFilesPatch } from 'diff'
import { makeVisible } from '../validation/suspicious-text.ts'
import type { ToolContent } from '../tool-spec.ts'

const maxDiffLength = 200_000

/** One version, as far as it is compared. */
export interface ComparedVersion {
  /** Such as `plus_some v2`. */
  readonly label: string
  readonly content: ToolContent
  /** What it may do, in sentences. */
  readonly powers: readonly string[]
  /** What it does, in sentences. */
  readonly steps: readonly string[]
  /** As its kind writes it; `undefined` where it could not be asked. */
  readonly source: string | undefined
}

/**
 * Unified diffs of everything that is signed, with hidden characters made visible: first what follows from what runs, powers,
 * steps and source; then schemas and the rest; last the author's words.
 */
export function diffVersions(before: ComparedVersion, after: ComparedVersion): string {
  const old = partsOf(before)
  const fresh = partsOf(after)
  const patches = parts.flatMap((part) => {
    const text = fresh[part]
    const earlier = old[part]
    return text === earlier
      ? []
      : [
          diffTexts(
            { label: `${before.label} ${part}`, text: earlier },
            { label: `${after.label} ${part}`, text },
          ),
        ]
  })
  const diff = patches.join('')
  return diff.length <= maxDiffLength
    ? diff
    : `${diff.slice(0, maxDiffLength).toWellFormed()}\n… (${diff.length - maxDiffLength} more characters)`
}

/** What is compared, in the order in which it is shown; together all that is signed. */
const parts = [
  'powers',
  'steps',
  'source',
  'definition',
  'schemas',
  'settings',
  'description',
] as const

type Part = (typeof parts)[number]

interface LabelledText {
  readonly label: string
  readonly text: string
}

/** How many lines may differ for a pair of texts to be compared line by line. The work grows with the square of it. */
const maxChangedLines = 400
const contextLines = 3

function diffTexts(before: LabelledText, after: LabelledText): string {
  // Never bounded by time: the same versions have to give the same review on a machine that is busy.
  const limits = { context: contextLines, maxEditLength: maxChangedLines }
  const texts = [before.text, after.text] as const
  return (
    createTwoFilesPatch(before.label, after.label, ...texts, undefined, undefined, limits) ??
    replaceMiddle(before, after)
  )
}

/** A unified diff that takes all lines between the common beginning and the common end for changed. */
function replaceMiddle(before: LabelledText, after: LabelledText): string {
  const old = linesOf(before.text)
  const fresh = linesOf(after.text)
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start += 1
  let tail = 0
  while (tail < shorter - start && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const from = Math.max(0, start - contextLines)
  const kept = Math.min(tail, contextLines)
  const range = ({ length }: readonly string[]): string =>
    `${from + 1},${length - tail + kept - from}`
  return [
    '='.repeat(67),
    `--- ${before.label}`,
    `+++ ${after.label}`,
    `@@ -${range(old)} +${range(fresh)} @@`,
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map((line) => ` ${line}`),
    '',
  ].join('\n')
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}

function partsOf({
  content,
  powers,
  source,
  steps,
}: ComparedVersion): Readonly<Record<Part, string>> {
  const { description, inputSchema, outputSchema, definition, ...rest } = content
  return {
    powers: asLines(powers),
    steps: asLines(steps),
    source: source === undefined ? '' : makeVisible(source),
    definition: isJsonOf(source, definition) ? '' : printSorted(definition, source),
    schemas: printSorted({ inputSchema, outputSchema }),
    settings: printSorted(rest),
    description: `${makeVisible(description)}\n`,
  }
}

/** Whether a source is nothing but the definition as JSON. */
function isJsonOf(source: string | undefined, definition: JsonValue): boolean {
  try {
    return source !== undefined && printSorted(JSON.parse(source)) === printSorted(definition)
  } catch {
    return false
  }
}

function asLines(sentences: readonly string[]): string {
  return sentences.map((sentence) => `${makeVisible(sentence).replaceAll('\n', '\n  ')}\n`).join('')
}

/**
 * A value as indented JSON with sorted keys. Texts with line breaks are shown line by line, so that code can be compared;
 * `shown` is not shown again.
 */
function printSorted(value: unknown, shown?: string): string {
  const replace = (_key: string, entry: unknown): unknown =>
    shown !== undefined && entry === shown ? '(the source above)' : sortKeys(entry)
  const lines = JSON.stringify(value, replace, 2).split('\n').map(breakLine)
  return makeVisible(`${lines.join('\n')}\n`)
}

/** A line of JSON with its line breaks as such; each that follows is marked, for it is text, whatever it looks like. */
function breakLine(line: string): string {
  if (!line.includes(String.raw`\n`)) return line
  const indent = ' '.repeat(line.length - line.trimStart().length)
  // A backslash that is itself written with one makes no line break of an `n`.
  return line.replaceAll(/\\(.)/g, (pair, letter: string) =>
    letter === 'n' ? `\n${indent}  │ ` : pair,
  )
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}
