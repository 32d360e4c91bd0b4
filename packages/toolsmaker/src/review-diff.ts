import { createTwoFilesPatch } from 'diff'
import { makeVisible } from './suspicious-text.ts'
import type { ToolContent } from './tool-spec.ts'

const maxDiffLength = 200_000

/** A unified diff of everything that is signed, as sorted and indented JSON, with hidden characters made visible. */
export function diffContents(
  before: { readonly label: string; readonly content: ToolContent },
  after: { readonly label: string; readonly content: ToolContent },
): string {
  const patch = createTwoFilesPatch(
    before.label,
    after.label,
    `${printSorted(before.content)}\n`,
    `${printSorted(after.content)}\n`,
    undefined,
    undefined,
    // A pair of huge and wholly different texts is not worth minutes of comparing.
    { context: 3, timeout: 2_000 },
  )
  if (patch === undefined) return 'The versions differ too much to compare them line by line.'
  return patch.length <= maxDiffLength
    ? patch
    : `${patch.slice(0, maxDiffLength)}\n… (${patch.length - maxDiffLength} more characters)`
}

/** A value as indented JSON with sorted keys. Texts with line breaks are shown line by line, so that code can be compared. */
function printSorted(value: unknown): string {
  const sorted = JSON.stringify(value, sortKeys, 2)
  return makeVisible(
    sorted.replaceAll(/^(\s*)(.*)\\n(.*)$/gm, (line, indent: string) =>
      line.replaceAll(String.raw`\n`, `\n${indent}  `),
    ),
  )
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}
