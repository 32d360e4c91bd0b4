import { customToolFields } from './custom-tool-file.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { readReview } from '../review/read-review.ts'
import { renderSource } from '../review/render-source.ts'
import { type VersionRecord, toSpec } from '../lifecycle/version-record.ts'

/** A readable file beside the log, relative to the store's folder. */
export interface ProjectionFile {
  readonly path: string
  readonly text: string
}

/** The files of one version: spec, source, review. The same log always gives the same files. */
export async function renderVersionFiles(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<readonly ProjectionFile[]> {
  const spec = toSpec(record)
  if (spec === undefined) return []
  const base = `${record.name}_v${record.version}`
  const { extension, text } = await renderSource(engine, record)
  const review = await readReview(engine, record, { anew: false })
  const { activation, approval, decisions, reason, status, updatedAt } = record
  const state = { status, updatedAt, reason, approval, decisions, activation }
  return [
    { path: `specs/${base}.json`, text: print({ ...spec, state }) },
    { path: `generated/${base}.${extension}`, text },
    ...(review === undefined ? [] : [{ path: `reviews/${base}.json`, text: print(review) }]),
  ]
}

/** The readable file of a tool in use, in the form of a custom tool; `undefined` while no version is in use. */
export async function renderCustomTool(
  engine: LifecycleEngine,
  name: string,
): Promise<ProjectionFile | undefined> {
  const tool = engine.state.tools.get(name)
  const record = tool?.active === undefined ? undefined : tool.versions.get(tool.active)
  return record === undefined ? undefined : renderCustomToolOf(engine, record)
}

/** The custom tool file of one version, whether or not it is in use. */
export async function renderCustomToolOf(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ProjectionFile | undefined> {
  const kind = engine.kinds.get(record.kind)
  const fields = await customToolFields(record, kind, engine.kindTimeoutMs)
  return fields === undefined
    ? undefined
    : { path: `custom-tools/${record.name}.json`, text: print(fields) }
}

function print(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
