import { activeRecord, refreshActive } from './activate.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'

/** Takes back a share that has run out: on record, so that it does not come back when the clock does, and here in any case. */
export async function endShare(engine: LifecycleEngine, name: string): Promise<void> {
  const record = activeRecord(engine, name)
  try {
    if (record?.shareDecisions !== undefined && engine.callables.namesPastShare().includes(name)) {
      const { version } = record
      const frame = engine.stamp(engine.host)
      await engine.record([{ ...frame, type: 'tool_share_ended', name, version }])
    }
  } finally {
    await refreshActive(engine, name)
  }
}
