import { askKind } from '../validation/ask-kind.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { type VersionRecord, specOf, toSpec } from '../lifecycle/version-record.ts'

/**
 * Has a kind take down what lives outside, or leave it to the version that is in use from now on. A failure is logged: the
 * version is out of use in any case.
 */
export async function retireVersion(
  engine: LifecycleEngine,
  record: VersionRecord,
  replacement?: VersionRecord,
): Promise<void> {
  const kind = engine.kinds.get(record.kind)
  const { content } = record
  if (kind?.retire === undefined || content === undefined) return
  const question = { kind: record.kind, hook: 'retire', timeoutMs: engine.kindTimeoutMs }
  // What another kind put up elsewhere is no replacement.
  const next =
    replacement === undefined || replacement.kind !== record.kind ? undefined : toSpec(replacement)
  try {
    await askKind(question, (options) =>
      kind.retire?.(specOf(record, content), {
        ...options,
        ...(next === undefined ? {} : { replacement: next }),
      }),
    )
  } catch (error) {
    const { name, version } = record
    engine.logger.error(
      { error, name, version },
      'What a made tool left outside could not be removed',
    )
  }
}
