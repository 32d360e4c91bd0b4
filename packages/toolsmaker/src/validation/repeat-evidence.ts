import { canonicalJson } from '@toolcrib/registry'
import { askInParallel } from './ask-in-parallel.ts'
import { askKind } from './ask-kind.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { readEvidence } from './kind-answers.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { readEvidenceOf } from '../review/read-report.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { EvidenceRun } from './validation-report.ts'
import { type VersionRecord, specOf } from '../lifecycle/version-record.ts'

/** What trying a version once more gave. */
export type RepeatedEvidence =
  | { readonly outcome: 'same'; readonly fingerprint: string }
  | {
      readonly outcome: 'different'
      readonly fingerprint: string
      readonly reason: string
      readonly evidence: readonly EvidenceRun[]
    }
  /** The kind did not answer, so nothing is known. */
  | { readonly outcome: 'unknown'; readonly reason: string }

/** A version whose signatures were found good. */
export interface JudgedVersion {
  readonly record: VersionRecord
  readonly content: ToolContent
}

/** All of it takes at most this many times what one answer of a kind may take. */
const maxRounds = 2

/** The fingerprint that a kind has now, where the evidence of a version was gathered under another one. */
export function newFingerprint(engine: LifecycleEngine, record: VersionRecord): string | undefined {
  const fingerprint = engine.kinds.get(record.kind)?.fingerprint
  return fingerprint === record.fingerprint ? undefined : fingerprint
}

/**
 * Whether a version has to be tried before it is used: under another fingerprint than that of its evidence, or where it is
 * not sure that the log says the truth about that, for the fingerprint is not signed.
 */
export function needsTrial(engine: LifecycleEngine, record: VersionRecord): boolean {
  if (newFingerprint(engine, record) !== undefined) return true
  const { fingerprint, fingerprintSequence = 0 } = record
  return fingerprint !== undefined && engine.verified.isDoubtful(fingerprintSequence)
}

/**
 * Tries versions once more whose kind may behave differently now, each on its stored examples. In parallel, and not for
 * ever: what was not tried in time is `unknown`.
 */
export async function repeatEvidence(
  engine: LifecycleEngine,
  versions: readonly JudgedVersion[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<VersionRecord, RepeatedEvidence>> {
  const timeoutMs = maxRounds * engine.kindTimeoutMs
  const limits = { answerTimeoutMs: engine.kindTimeoutMs, timeoutMs, signal }
  const outcomes = await askInParallel(
    versions,
    limits,
    async (version, leftMs): Promise<RepeatedEvidence> =>
      leftMs <= 0
        ? { outcome: 'unknown', reason: `there was no time left after ${timeoutMs} ms` }
        : repeatOne(engine, version, { timeoutMs: leftMs, signal }),
  )
  return new Map([...outcomes].map(([{ record }, outcome]) => [record, outcome]))
}

async function repeatOne(
  engine: LifecycleEngine,
  { content, record }: JudgedVersion,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<RepeatedEvidence> {
  const kind = engine.kind(record.kind)
  const { fingerprint = '' } = kind
  const endsAt = performance.now() + limits.timeoutMs
  try {
    const before = await readEvidenceOf(engine, record)
    const proposal = deepFreeze({ spec: specOf(record, structuredClone(content)) })
    const gather = async (): Promise<readonly EvidenceRun[]> => {
      const timeoutMs = Math.max(0, endsAt - performance.now())
      const question = { kind: kind.kind, hook: 'gatherEvidence', signal: limits.signal, timeoutMs }
      const answer = await askKind(question, (options) => kind.gatherEvidence(proposal, options))
      return readEvidence(kind.kind, answer, content)
    }
    const after = await gather()
    if (describeDifference(before, after) === undefined) return { outcome: 'same', fingerprint }
    // What differs from one run to the next says nothing about the kind.
    const reason = describeDifference(before, after, await gather())
    return reason === undefined
      ? { outcome: 'same', fingerprint }
      : { outcome: 'different', fingerprint, reason, evidence: after }
  } catch (error) {
    limits.signal?.throwIfAborted()
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : 'unknown error' }
  }
}

/**
 * Which run gave something else than before; `undefined` when all gave the same. A run that promises no output, and gives
 * something else each time under the same kind, such as a random number, has to pass as before and no more.
 *
 * @param repeated the same as `after`, gathered once more
 */
function describeDifference(
  before: readonly EvidenceRun[],
  after: readonly EvidenceRun[],
  repeated: readonly EvidenceRun[] = [],
): string | undefined {
  for (const origin of ['author', 'generated'] as const) {
    const old = before.filter((run) => run.origin === origin)
    const fresh = after.filter((run) => run.origin === origin)
    const twice = repeated.filter((run) => run.origin === origin)
    if (old.length !== fresh.length && origin === 'author')
      return `${fresh.length} of ${old.length} examples ran`
    for (const [index, run] of old.entries()) {
      const again = fresh[index]
      // Generated inputs may be others now, which says nothing about the tool.
      const isSame = again !== undefined && canonicalJson(again.input) === canonicalJson(run.input)
      if (!isSame && origin === 'generated') continue
      const label = origin === 'author' ? `example ${index + 1}` : `generated input ${index + 1}`
      if (!isSame) return `${label} was tried with another input`
      if (outcomeOf(run) !== outcomeOf(again) && !isOnlyVarying(run, again, twice[index]))
        return `${label}: with ${brief(run.input)} it ${describeOutcome(again)}, before it ${describeOutcome(run)}`
    }
  }
  return undefined
}

/** Whether a run differs because it gives something else each time, and passes each time as it did before. */
function isOnlyVarying(before: EvidenceRun, after: EvidenceRun, twice?: EvidenceRun): boolean {
  return (
    twice !== undefined &&
    before.expected === undefined &&
    canonicalJson(after.input) === canonicalJson(twice.input) &&
    outcomeOf(after) !== outcomeOf(twice) &&
    before.pass === after.pass &&
    before.pass === twice.pass
  )
}

/** Everything about a run that has to stay the same, as one text. How a message is worded may change. */
function outcomeOf({ actual, error, operations = [], pass }: EvidenceRun): string {
  return canonicalJson([
    pass,
    error === undefined,
    actual === undefined ? [] : [actual],
    operations.map(({ answer, operation }) => [operation, answer]),
  ])
}

function describeOutcome({ actual, error, operations = [], pass }: EvidenceRun): string {
  const asked =
    operations.length === 0
      ? ''
      : ` after asking for ${operations.map(({ operation }) => operation).join(', ')}`
          .slice(0, 200)
          .toWellFormed()
  const gave =
    error === undefined ? `gave ${brief(actual)}` : `failed: ${error.slice(0, 200).toWellFormed()}`
  return `${gave}${pass ? '' : ' (not as its author promises)'}${asked}`
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200).toWellFormed().toWellFormed()
}
