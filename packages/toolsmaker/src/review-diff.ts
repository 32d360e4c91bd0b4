import type { JsonValue } from '@toolcrib/registry'
import { createTwoFilesPatch } from 'diff'
import { makeVisible } from './suspicious-text.ts'
import type { ToolContent } from './tool-spec.ts'

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
    : `${diff.slice(0, maxDiffLength)}\n… (${diff.length - maxDiffLength} more characters)`
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

function diffTexts(before: LabelledText, after: LabelledText): string {
  const patch = createTwoFilesPatch(
    before.label,
    after.label,
    before.text,
    after.text,
    undefined,
    undefined,
    // A pair of huge and wholly different texts is not worth minutes of comparing.
    { context: 3, timeout: 2_000 },
  )
  return patch ?? `${after.label}: differs too much to be compared line by line.\n`
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
  const sorted = JSON.stringify(value, replace, 2)
  return makeVisible(
    `${sorted.replaceAll(/^(\s*)(.*)\\n(.*)$/gm, (line, indent: string) =>
      line.replaceAll(String.raw`\n`, `\n${indent}  `),
    )}\n`,
  )
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}
