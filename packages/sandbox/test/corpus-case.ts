import { readFileSync, readdirSync } from 'node:fs'
import type { SandboxFailureReason } from '../src/index.ts'

/** What counts as contained; see the `about` of the files. */
export type Expectation =
  | 'contained'
  | 'contained-logs'
  | 'different'
  | 'error'
  | 'error-no-violation'
  | 'error-or-small'
  | 'error-small'
  | 'last-ok'
  | 'load-error-or-contained'
  | 'truncated-or-error'
  | { readonly json: unknown }
  | readonly string[]

export interface CorpusCase {
  readonly id: string
  readonly what: string
  readonly source: string
  readonly policy: 'none' | 'fs' | 'http'
  readonly input?: unknown
  readonly calls?: readonly unknown[]
  readonly timeoutMs: number
  readonly expected: Expectation
  /** Time until the caller has its answer, on a machine that does nothing else. */
  readonly maxWallMs?: number
}

export interface CorpusFile {
  readonly name: string
  readonly cases: readonly CorpusCase[]
}

/** Words of the files for the reasons of an outcome. */
const words: Readonly<Partial<Record<SandboxFailureReason, readonly string[]>>> = {
  'guest-error': ['guest'],
  'host-call-limit': ['hostcalls'],
  'cpu-limit': ['timeout'],
  'output-limit': ['output'],
  trap: ['engine'],
}

/** Every file of the folder, its helper put before each source. Files that are added are run as well. */
export function readCorpus(folder: URL): readonly CorpusFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => {
      const file = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
        readonly helper?: string
        readonly cases: readonly CorpusCase[]
      }
      const { helper = '', cases } = file
      return { name, cases: cases.map((one) => ({ ...one, source: helper + one.source })) }
    })
}

/** Whether a list of outcomes names this one. */
export function isNamed(expected: readonly string[], reason: SandboxFailureReason | 'ok'): boolean {
  if (expected.includes(reason)) return true
  return reason !== 'ok' && (words[reason] ?? []).some((word) => expected.includes(word))
}
