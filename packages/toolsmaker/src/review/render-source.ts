import { askKind } from '../validation/ask-kind.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { RenderedSource } from '../tool-kind.ts'
import { type VersionRecord, toSpec } from '../lifecycle/version-record.ts'

/** The source of a version as its kind writes it; the definition as JSON where the kind writes none. */
export async function renderSource(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<RenderedSource> {
  const spec = toSpec(record)
  const kind = engine.kinds.get(record.kind)
  if (spec === undefined || kind?.renderSource === undefined) return asJson(record)
  const source = await askKind(
    { kind: record.kind, hook: 'renderSource', timeoutMs: engine.kindTimeoutMs },
    () => kind.renderSource?.(spec),
  )
  const sound =
    source !== undefined &&
    typeof source.text === 'string' &&
    /^[A-Za-z0-9]{1,10}$/.test(source.extension)
  return sound ? source : asJson(record)
}

function asJson({ content }: VersionRecord): RenderedSource {
  return { extension: 'json', text: `${JSON.stringify(content?.definition, undefined, 2)}\n` }
}
