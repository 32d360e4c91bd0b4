import { askKind } from '../validation/ask-kind.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { JudgedVersion } from '../validation/repeat-evidence.ts'
import { specOf } from '../lifecycle/version-record.ts'

/**
 * Has each kind make what lives outside that which it should be: these versions there, all else taken down. What a kind cannot do
 * is logged.
 */
export async function settleKinds(
  engine: LifecycleEngine,
  versions: readonly JudgedVersion[],
  signal?: AbortSignal,
): Promise<void> {
  const settle = async (name: string): Promise<void> => {
    const kind = engine.kinds.get(name)
    if (kind?.settle === undefined) return
    const inUse = versions
      .filter(({ record }) => record.kind === name)
      .map(({ content, record }) => specOf(record, content))
    const question = { kind: name, hook: 'settle', timeoutMs: engine.kindTimeoutMs, signal }
    try {
      await askKind(question, (options) => kind.settle?.(inUse, options))
    } catch (error) {
      signal?.throwIfAborted()
      engine.logger.error(
        { error, kind: name },
        'What made tools have outside is not all as it should be',
      )
    }
  }
  await Promise.all([...engine.kinds.keys()].map(settle))
}

/** The versions that can be called, or could if nothing were paused; not those whose approval has run out. */
export function listCallable(engine: LifecycleEngine): readonly JudgedVersion[] {
  return engine.callables.names().flatMap((name): readonly JudgedVersion[] => {
    const { expiresAt = 0, version } = engine.callables.get(name) ?? {}
    if (engine.now() >= expiresAt) return []
    const record = version === undefined ? undefined : engine.state.get(name, version)
    return record?.content === undefined ? [] : [{ record, content: record.content }]
  })
}
