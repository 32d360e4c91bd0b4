import { defaultRunLimits } from '../proposals/narrow-limits.ts'
import type { PinnedCallee } from '../proposals/capability.ts'
import type { ToolContent, ToolRunLimits } from '../tool-spec.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import { plainText } from './told-texts.ts'

/**
 * What else is signed and stands in no permission: limits other than the usual ones, and entries of the lists of powers that no
 * sentence names as they are written, such as the hash of a tool that it calls.
 */
export function showSettings(content: ToolContent, powers: readonly string[]): readonly string[] {
  const { allowedDomains, allowedPaths, callees, limits, secrets } = content
  const told = plainText(powers.join('\n'))
  const lists = { allowedPaths, allowedDomains, secrets, callees } as const
  return [
    ...limitSentences(limits),
    ...Object.entries(lists).flatMap(([field, entries]) =>
      entries
        .filter((entry) => !textsOf(entry).every((text) => told.includes(plainText(text))))
        .map((entry) => `${field}: ${JSON.stringify(entry)}`),
    ),
  ].map(makeVisible)
}

function textsOf(entry: string | PinnedCallee): readonly string[] {
  return typeof entry === 'string'
    ? [entry]
    : [entry.name, ...(entry.hash === null ? [] : [entry.hash])]
}

const sentences = {
  timeoutMs: (value, usual) => `one call may take ${value} ms (usually ${usual})`,
  maxInputBytes: (value, usual) => `takes inputs of up to ${value} bytes (usually ${usual})`,
  maxOutputBytes: (value, usual) => `gives outputs of up to ${value} bytes (usually ${usual})`,
  maxConcurrent: (value, usual) => `runs at most ${value} calls at once (usually ${usual})`,
} as const satisfies Record<keyof ToolRunLimits, (value: string, usual: string) => string>

function limitSentences(limits: ToolRunLimits): readonly string[] {
  return Object.entries(sentences).flatMap(([name, sentence]) => {
    const field = name as keyof typeof sentences
    const value = limits[field]
    const usual = defaultRunLimits[field]
    return value === undefined || value === usual ? [] : [sentence(number(value), number(usual))]
  })
}

function number(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString('en-US') : 'as many as come'
}
