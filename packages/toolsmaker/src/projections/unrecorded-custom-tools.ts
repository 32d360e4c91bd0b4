import { hash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type JsonObject, type JsonValue, canonicalJson } from '@toolcrib/registry'
import { customToolFields } from './custom-tool-file.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { OwnFolder } from '../files/own-folder.ts'
import { copyPlain } from '../plain-copy.ts'

/** A file in `custom-tools` that no record matches. */
export type UnrecordedCustomTool =
  | {
      /** Relative to the store's folder. */
      readonly file: string
      /** SHA-256 of the file. A version whose provenance has it as `fileHash` makes the file a recorded one, unless an agent proposed it. */
      readonly fileHash: string
      /** What the file holds: a proposal at best, never something to run. */
      readonly content: JsonObject
      readonly problem?: undefined
    }
  | {
      readonly file: string
      /** Why the file cannot be read as a tool. */
      readonly problem: string
      readonly content?: undefined
    }

const maxFileBytes = 1_048_576

/** How many files are looked at between two turns of the event loop. */
const filesAtOnce = 500

/**
 * Finds the files in `custom-tools` that no record matches. Reads, and touches nothing. `isOwn` tells by name and times which files
 * need not be read.
 *
 * @throws {ToolError} STORE_INVALID when the folder is a link, or somebody else's.
 */
export async function readUnrecordedCustomTools(
  engine: LifecycleEngine,
  isOwn: (tool: string, stats: Stats) => boolean = () => false,
): Promise<readonly UnrecordedCustomTool[]> {
  const { directory } = engine.store
  if (directory === undefined) return []
  using store = OwnFolder.open(directory, 'store')
  using folder = store.folder('custom-tools')
  const names = (folder?.names() ?? []).filter((entry) => entry.endsWith('.json')).toSorted()
  const found: UnrecordedCustomTool[] = []
  for (const [index, name] of names.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- calls have their turn meanwhile
    if (index % filesAtOnce === filesAtOnce - 1) await nextTurn()
    const stats = folder?.stats(name)
    if (stats === undefined || isOwn(name.slice(0, -'.json'.length), stats)) continue
    // oxlint-disable-next-line no-await-in-loop -- one after the other keeps memory bounded
    const tool = await readOne(engine, store, `custom-tools/${name}`)
    if (tool !== undefined) found.push(tool)
  }
  return found
}

async function readOne(
  engine: LifecycleEngine,
  store: OwnFolder,
  file: string,
): Promise<UnrecordedCustomTool | undefined> {
  let bytes: Buffer
  let content: JsonValue
  try {
    const read = store.within(file, (folder, name) => folder.read(name, { maxBytes: maxFileBytes }))
    // It went away meanwhile.
    if (read === undefined) return undefined
    bytes = read
    content = copyPlain(JSON.parse(bytes.toString('utf8')), {
      what: 'file',
      code: 'REQUEST_INVALID',
    })
  } catch (error) {
    return { file, problem: error instanceof Error ? error.message : String(error) }
  }
  if (!isObject(content)) return { file, problem: 'it does not hold a JSON object' }
  const fileHash = hash('sha256', bytes, 'hex')
  return (await isRecorded(engine, content, fileHash)) ? undefined : { file, fileHash, content }
}

/** Tells whether a file in `custom-tools` may be replaced or removed: it is missing, or a version on record matches it. */
export async function isOwnCustomTool(
  engine: LifecycleEngine,
  store: OwnFolder,
  file: string,
): Promise<boolean> {
  try {
    return (await readOne(engine, store, file)) === undefined
  } catch {
    return false
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function isRecorded(
  engine: LifecycleEngine,
  content: JsonObject,
  fileHash: string,
): Promise<boolean> {
  const { name: toolName } = content
  if (typeof toolName !== 'string') return false
  const tool = engine.state.tools.get(toolName)
  const wanted = essence(content)
  for (const record of tool?.versions.values() ?? []) {
    // What an agent says of where its tool comes from is its own word.
    const isFromFile = record.createdBy.kind !== 'agent'
    if (isFromFile && record.provenance?.['fileHash'] === fileHash) return true
    try {
      const kind = engine.kinds.get(record.kind)
      // oxlint-disable-next-line no-await-in-loop -- mostly the first one matches
      const fields = await customToolFields(record, kind, engine.kindTimeoutMs)
      if (fields !== undefined && essence(fields) === wanted) return true
    } catch (error) {
      const { name, version } = record
      engine.logger.warn({ error, name, version }, 'A version could not be compared with its file')
    }
  }
  return false
}

/** What counts when a file is compared: not when and by whom it was made. */
function essence({ createdAt: _at, createdBy: _by, ...fields }: JsonObject): string {
  return canonicalJson(fields)
}
