import { hash } from 'node:crypto'
import { constants, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, type JsonValue, canonicalJson } from '@toolcrib/registry'
import { customToolFields } from './custom-tool-file.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { copyPlain } from '../plain-copy.ts'

/** A file in `custom-tools` that no record matches. */
export type UnrecordedCustomTool =
  | {
      /** Relative to the store's folder. */
      readonly file: string
      /** SHA-256 of the file. A version whose provenance has it as `fileHash` makes the file a recorded one. */
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

/** Finds the files in `custom-tools` that no record matches. Reads, and touches nothing. */
export async function readUnrecordedCustomTools(
  engine: LifecycleEngine,
): Promise<readonly UnrecordedCustomTool[]> {
  const { directory } = engine.store
  if (directory === undefined) return []
  let names: readonly string[]
  try {
    names = await readdir(join(directory, 'custom-tools'))
  } catch {
    return []
  }
  const found: UnrecordedCustomTool[] = []
  for (const name of names.filter((entry) => entry.endsWith('.json')).toSorted()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other keeps memory bounded
    const tool = await readOne(engine, directory, `custom-tools/${name}`)
    if (tool !== undefined) found.push(tool)
  }
  return found
}

async function readOne(
  engine: LifecycleEngine,
  directory: string,
  file: string,
): Promise<UnrecordedCustomTool | undefined> {
  let bytes: Buffer
  let content: JsonValue
  try {
    bytes = await readPlainFile(join(directory, file))
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

/** Reads a file, but not through a link, from a pipe or without end. */
async function readPlainFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error('it is not a plain file')
    if (stats.size > maxFileBytes)
      throw new Error(`it has ${stats.size} bytes, at most ${maxFileBytes} are read`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Tells whether a file in `custom-tools` may be replaced or removed: it is missing, or a version on record matches it. */
export async function isOwnCustomTool(
  engine: LifecycleEngine,
  directory: string,
  file: string,
): Promise<boolean> {
  try {
    return (await readOne(engine, directory, file)) === undefined
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
    if (record.provenance?.['fileHash'] === fileHash) return true
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
