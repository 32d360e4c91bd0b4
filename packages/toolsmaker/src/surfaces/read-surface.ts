import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { judgementBasis } from '../activation/activate.ts'
import { findRollbackTarget } from '../activation/rollback-target.ts'
import { judgeVersion } from '../approvals/judge-version.ts'
import { listEvents } from '../events/list-events.ts'
import { readHistory, readReview } from '../review/read-review.ts'
import { readSigningReview } from '../review/signing-review.ts'
import { summariseVersion } from '../review/summarise-version.ts'
import type { ToolSpec } from '../tool-spec.ts'
import type { Toolsmaker } from '../toolsmaker.ts'
import { type VersionRecord, specOf, toSpec } from '../lifecycle/version-record.ts'

type Reading =
  | 'namespace'
  | 'listVersions'
  | 'listPending'
  | 'activeVersions'
  | 'findRollback'
  | 'getSpec'
  | 'readApproved'
  | 'readReview'
  | 'readSigningReview'
  | 'history'
  | 'listEvents'
  | 'verifyAudit'
  | 'onEvent'
  | 'onStop'
  | 'snapshotTools'

/** What an operator can read. */
export function createReadSurface(engine: LifecycleEngine): Pick<Toolsmaker, Reading> {
  return {
    namespace: engine.namespace,
    listVersions: (name) => records(engine, name).map((record) => summariseVersion(engine, record)),
    listPending: () =>
      records(engine)
        .filter(({ status }) => status === 'approval_required')
        .toSorted((left, right) => left.revision - right.revision)
        .map((record) => summariseVersion(engine, record)),
    activeVersions: () =>
      Object.fromEntries(
        [...engine.state.tools.values()].flatMap(({ active, name }) =>
          active === undefined ? [] : [[name, active] as const],
        ),
      ),
    findRollback: (name, { toVersion } = {}) =>
      summariseVersion(
        engine,
        toVersion === undefined ? findRollbackTarget(engine, name) : engine.find(name, toVersion),
      ),
    getSpec: (name, version) => {
      const record = engine.state.get(name, version)
      return record === undefined ? undefined : structuredClone(toSpec(record))
    },
    readApproved: (name, version) => readApproved(engine, name, version),
    readReview: async (name, version) => {
      const record = engine.state.get(name, version)
      return record === undefined ? undefined : structuredClone(await readReview(engine, record))
    },
    readSigningReview: async (name, version) => {
      const record = engine.state.get(name, version)
      return record === undefined
        ? undefined
        : structuredClone(await readSigningReview(engine, record))
    },
    history: (name) => readHistory(engine, name),
    listEvents: (query = {}) => listEvents(engine, query),
    verifyAudit: async () => engine.verified.judge(await engine.store.verify(), engine.state),
    onEvent: (listener) => engine.onEvent(listener),
    onStop: (listener) => engine.onStop(listener),
    snapshotTools: (principal) => engine.registry.snapshot(principal),
  }
}

// Not in the queue of commands: a kind asks it while a command waits for the kind.
async function readApproved(
  engine: LifecycleEngine,
  name: string,
  version: number,
): Promise<ToolSpec | undefined> {
  await engine.trust.refresh()
  const record = engine.state.get(name, version)
  if (record === undefined) return undefined
  const grant = await judgeVersion(record, judgementBasis(engine), 'approved')
  if (!grant.ok) return undefined
  return structuredClone({ ...specOf(record, grant.content), visibility: grant.visibility })
}

function records(engine: LifecycleEngine, name?: string): readonly VersionRecord[] {
  const tools =
    name === undefined
      ? [...engine.state.tools.values()]
      : [engine.state.tools.get(name)].filter((tool) => tool !== undefined)
  return tools.flatMap(({ versions }) => [...versions.values()])
}
