import type { SandboxFailureReason, SandboxLoadOutcome, SandboxOutcome } from '../src/index.ts'
import { isNamed, type CorpusCase, type Expectation } from './corpus-case.ts'

export type CaseOutcome = SandboxOutcome | SandboxLoadOutcome

const longestMessage = 16_384
const longestLogs = 1_048_576
const longestResult = 65_536

type Rule = (outcomes: readonly CaseOutcome[], last: CaseOutcome) => boolean

const isContained: Rule = (outcomes) => outcomes.every((outcome) => escapedOf(outcome) === '')
const isError: Rule = (outcomes) => outcomes.every(({ ok }) => !ok)
const isErrorOrSmall: Rule = (_, last) => !last.ok || (textOf(last) ?? '').length <= longestResult

const rules: Readonly<Record<Extract<Expectation, string>, Rule>> = {
  contained: isContained,
  'load-error-or-contained': isContained,
  'contained-logs': (outcomes, last) =>
    isContained(outcomes, last) && sizeOfLogs(last) <= longestLogs,
  error: isError,
  'error-small': isError,
  'error-no-violation': (_, last) =>
    !last.ok && 'violations' in last && last.violations.length === 0,
  'error-or-small': isErrorOrSmall,
  'truncated-or-error': isErrorOrSmall,
  different: (outcomes, last) =>
    isContained(outcomes, last) && new Set(outcomes.map(textOf)).size === outcomes.length,
  'last-ok': (outcomes, last) => last.ok && isContained(outcomes, last),
}

/** Why the outcomes of a case are not contained; empty when they are. */
export function judge(one: CorpusCase, outcomes: readonly CaseOutcome[]): string {
  const last = outcomes.at(-1)
  if (last === undefined) return 'there is no outcome'
  for (const outcome of outcomes) {
    if (outcome.ok) continue
    if (outcome.reason === 'worker-lost' || outcome.reason === 'closed') return outcome.reason
    if (outcome.message.length > longestMessage) return 'the message is too long'
  }
  return isExpected(one.expected, outcomes, last) ? '' : `it gave ${describe(last)}`
}

/** Whether a failure for this reason counts as contained, so that the machine may be slow. */
export function isContainedBy({ expected }: CorpusCase, reason: SandboxFailureReason): boolean {
  if (typeof expected === 'string') return !['different', 'last-ok'].includes(expected)
  return !('json' in expected) && isNamed(expected, reason)
}

function isExpected(
  expected: Expectation,
  outcomes: readonly CaseOutcome[],
  last: CaseOutcome,
): boolean {
  if (typeof expected === 'string') return rules[expected](outcomes, last)
  if ('json' in expected)
    return isContained(outcomes, last) && textOf(last) === JSON.stringify(expected.json)
  return isNamed(expected, last.ok ? 'ok' : last.reason)
}

function textOf(outcome: CaseOutcome): string | undefined {
  return outcome.ok && 'json' in outcome ? outcome.json : undefined
}

function escapedOf(outcome: CaseOutcome): string {
  const text = textOf(outcome)
  if (text === undefined) return ''
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('escaped' in value)) return ''
  return typeof value.escaped === 'string' ? value.escaped : JSON.stringify(value.escaped ?? '')
}

function sizeOfLogs(outcome: CaseOutcome): number {
  if (!('logs' in outcome)) return 0
  return outcome.logs.reduce((size, { message }) => size + Buffer.byteLength(message), 0)
}

function describe(outcome: CaseOutcome): string {
  if (!outcome.ok) return `${outcome.reason}: ${outcome.message.slice(0, 300)}`
  return (textOf(outcome) ?? 'ok').slice(0, 300)
}
