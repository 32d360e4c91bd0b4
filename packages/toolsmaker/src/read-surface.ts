import type { LifecycleEngine } from './lifecycle-engine.ts'
import { listEvents } from './list-events.ts'
import { readHistory, readReview } from './read-review.ts'
import { summariseVersion } from './summarise-version.ts'
import type { Toolsmaker } from './toolsmaker.ts'
import { type VersionRecord, toSpec } from './version-record.ts'

type Reading =
  | 'namespace'
  | 'listVersions'
  | 'listPending'
  | 'activeVersions'
  | 'getSpec'
  | 'readReview'
  | 'history'
  | 'listEvents'
  | 'verifyAudit'
  | 'onEvent'
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
    getSpec: (name, version) => {
      const record = engine.state.get(name, version)
      return record === undefined ? undefined : structuredClone(toSpec(record))
    },
    readReview: async (name, version) => {
      const record = engine.state.get(name, version)
      return record === undefined ? undefined : structuredClone(await readReview(engine, record))
    },
    history: (name) => readHistory(engine, name),
    listEvents: (query = {}) => listEvents(engine, query),
    verifyAudit: async () => engine.verified.judge(await engine.store.verify()),
    onEvent: (listener) => engine.onEvent(listener),
    snapshotTools: (principal) => engine.registry.snapshot(principal),
  }
}

function records(engine: LifecycleEngine, name?: string): readonly VersionRecord[] {
  const tools =
    name === undefined
      ? [...engine.state.tools.values()]
      : [engine.state.tools.get(name)].filter((tool) => tool !== undefined)
  return tools.flatMap(({ versions }) => [...versions.values()])
}
