import { askInParallel } from '../validation/ask-in-parallel.ts'
import { holdChanged } from './hold-changed.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { JudgedVersion } from '../validation/repeat-evidence.ts'
import type { OutsideState } from '../tool-kind.ts'
import type { InspectToolsOptions, ToolInspection } from '../toolsmaker.ts'
import { type VersionRecord, specOf } from '../lifecycle/version-record.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { settleKinds, listCallable } from './settle-kinds.ts'
import { showValue } from '../review/show-value.ts'

/** Settling and looking at a start take together at most this many times what one answer of a kind may take. */
const maxRounds = 2

/**
 * Has each kind clear away what should not be outside, then looks at what lives outside of versions that are about to be put into
 * use. In parallel, and not for ever: what was not looked at in time is `unknown`.
 */
export async function settleAndInspect(
  engine: LifecycleEngine,
  versions: readonly JudgedVersion[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<VersionRecord, OutsideState>> {
  const endsAt = performance.now() + maxRounds * engine.kindTimeoutMs
  const { isPaused } = engine.callables
  await settleKinds(engine, isPaused ? [] : versions, signal)
  // Taken down, so that there is nothing to look at.
  if (isPaused) return new Map()
  const timeoutMs = Math.max(0, endsAt - performance.now())
  const outcomes = await inspectAll(engine, versions, { timeoutMs, signal })
  return new Map([...outcomes].map(([{ record }, outcome]) => [record, outcome]))
}

async function inspectAll(
  engine: LifecycleEngine,
  versions: readonly JudgedVersion[],
  { signal, timeoutMs }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<JudgedVersion, OutsideState>> {
  const covered = versions.filter(({ record }) => engine.inspections.covers(record.kind))
  const limits = { answerTimeoutMs: engine.kindTimeoutMs, timeoutMs, signal }
  return askInParallel(
    covered,
    limits,
    async ({ content, record }, leftMs): Promise<OutsideState> =>
      leftMs <= 0
        ? { state: 'unknown', reason: `there was no time left after ${Math.ceil(timeoutMs)} ms` }
        : engine.inspections.inspect(specOf(record, content), { signal, timeoutMs: leftMs }),
  )
}

/**
 * Looks at what lives outside of the tools in use now, and takes out of use what was changed.
 *
 * @throws {ToolError} VERSION_NOT_FOUND when there is no made tool of that name.
 */
export async function inspectTools(
  engine: LifecycleEngine,
  { name, signal }: InspectToolsOptions,
): Promise<readonly ToolInspection[]> {
  signal?.throwIfAborted()
  if (name !== undefined && !engine.state.tools.has(name))
    throw toolsmakerError('VERSION_NOT_FOUND', `There is no made tool ${showValue(name)}.`)
  if (engine.callables.isPaused) {
    const down = await engine.queue.run(() => keepDown(engine, name), signal)
    if (down !== undefined) return down
  }
  const versions = listInUse(engine, name)
  const timeoutMs = maxRounds * engine.kindTimeoutMs
  const outcomes = await inspectAll(engine, versions, { timeoutMs, signal })
  const inspections: ToolInspection[] = []
  for (const [{ record }, outcome] of outcomes) {
    if (outcome.state === 'changed')
      // oxlint-disable-next-line no-await-in-loop -- commands run one after the other
      await holdChanged(engine, record, outcome.reason)
    inspections.push({ name: record.name, version: record.version, kind: record.kind, ...outcome })
  }
  return inspections.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function listInUse(engine: LifecycleEngine, name: string | undefined): readonly JudgedVersion[] {
  return listCallable(engine).filter(({ record }) => name === undefined || record.name === name)
}

/** What could not be taken down when all tools were paused is tried again; `undefined` when the pause is over. */
async function keepDown(
  engine: LifecycleEngine,
  name: string | undefined,
): Promise<readonly ToolInspection[] | undefined> {
  if (!engine.callables.isPaused) return undefined
  await settleKinds(engine, [])
  return listInUse(engine, name)
    .filter(({ record }) => engine.inspections.covers(record.kind))
    .map(({ record: { kind, name: tool, version } }) => ({
      name: tool,
      version,
      kind,
      state: 'unknown',
      reason: 'all made tools are paused, and what they have outside is taken down',
    }))
}
