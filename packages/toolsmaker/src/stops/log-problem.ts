import { noLog } from '../events/verified-log.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LogProblem } from '../toolsmaker.ts'

/** In what the event log is not the one that the host knows: the head that is known and the one that was found. */
export async function readLogProblem(engine: LifecycleEngine): Promise<LogProblem | undefined> {
  const { identity: store, state, verified } = engine
  if (verified.problem === undefined) return undefined
  const { sequence } = state
  const headHash = (await engine.store.hashAt(sequence)) ?? ''
  const { known } = verified
  return {
    reason: verified.problem,
    // One of an older form knew no identity, which nobody could sign.
    known:
      known === undefined || known.store === '' || known.store === noLog.store
        ? null
        : { store: known.store, sequence: known.sequence, headHash: known.headHash },
    found: { store, sequence, headHash },
  }
}
