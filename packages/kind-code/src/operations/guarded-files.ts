import { Buffer } from 'node:buffer'
import type { FileGuard } from '@toolcrib/policy/files'
import { type JsonValue, ToolError } from '@toolcrib/registry'
import type { HostOperation, HostOperations } from '@toolcrib/sandbox'
import type { ToolFolders } from '../tool-file/tool-folders.ts'
import { readObject, readText } from './operation-arguments.ts'

const maxEntries = 10_000

interface FileCall {
  readonly path: string
  /** What is to be written; empty for everything else. */
  readonly content: Uint8Array
  readonly signal: AbortSignal
}

type FileWork = (guard: FileGuard, call: FileCall) => Promise<JsonValue>

const reads: Readonly<Record<string, FileWork>> = {
  'fs.readText': async (guard, { path, signal }) => {
    const bytes = await guard.readFile(path, { signal })
    return { text: decodeText(bytes), bytes: bytes.length }
  },
  'fs.readBytes': async (guard, { path, signal }) => {
    const bytes = await guard.readFile(path, { signal })
    return { base64: bytes.toString('base64'), bytes: bytes.length }
  },
  'fs.exists': async (guard, { path, signal }) =>
    (await guard.stat(path, { signal })) !== undefined,
  'fs.stat': async (guard, { path, signal }) => {
    const facts = await guard.stat(path, { signal })
    if (facts === undefined) return null
    const { bytes, modifiedAt, type } = facts
    return { type, bytes, modifiedAt }
  },
  'fs.list': async (guard, { path, signal }) => {
    const { entries, truncated } = await guard.listFolder(path, { signal, maxEntries })
    if (truncated)
      throw new ToolError('TOOL_FAILED', `The folder has more than ${maxEntries} entries.`)
    return entries.map(({ name }) => name)
  },
}

const writes: Readonly<Record<string, FileWork>> = {
  'fs.writeText': async (guard, call) => write(guard, call),
  'fs.writeBytes': async (guard, call) => write(guard, call),
  'fs.appendText': async (guard, { content, path, signal }) => {
    await guard.appendFile(path, content, { signal, createParents: true })
    return null
  },
  'fs.createFolder': async (guard, { path, signal }) => {
    await guard.createFolder(path, { signal })
    return null
  },
}

const contentOf: Readonly<Record<string, (argument: JsonValue) => Uint8Array>> = {
  'fs.writeText': (argument) => readTextContent('fs.writeText', argument),
  'fs.appendText': (argument) => readTextContent('fs.appendText', argument),
  'fs.writeBytes': (argument) => readBytesContent('fs.writeBytes', argument),
}

/** What file operations need. */
export interface GuardedFilesOptions {
  /** Opened when it is first needed. */
  readonly folders: () => ToolFolders
}

/** Every `ctx.fs` operation over a guard. A folder or file that was declared and is not there yet is made by writing. */
export function guardedFiles({ folders }: GuardedFilesOptions): HostOperations {
  const operations: Record<string, HostOperation> = {}
  for (const [operation, work] of Object.entries(reads))
    operations[operation] = async (argument, { signal }) => {
      const call = readCall(operation, argument, signal)
      return (await isMissing(folders(), call))
        ? readNothing(operation, call)
        : work(folders().guard(), call)
    }
  for (const [operation, work] of Object.entries(writes))
    operations[operation] = async (argument, { signal }) => {
      const call = readCall(operation, argument, signal)
      const isFolder = operation === 'fs.createFolder'
      return folders().withPlaceFor({ path: call.path, isFolder, signal }, (guard) =>
        work(guard, call),
      )
    }
  operations['fs.delete'] = async (argument, { signal }) => {
    const call = readCall('fs.delete', argument, signal)
    if (await isMissing(folders(), call)) throw notThere(call.path)
    return remove(folders().guard(), call)
  }
  return operations
}

function readCall(operation: string, argument: JsonValue, signal: AbortSignal): FileCall {
  const fields = readObject(operation, argument)
  const content = contentOf[operation]?.(fields) ?? new Uint8Array()
  return { path: readText(operation, fields, 'path'), content, signal }
}

function readTextContent(operation: string, argument: JsonValue): Uint8Array {
  const text = readText(operation, readObject(operation, argument), 'text')
  if (!text.isWellFormed())
    throw new ToolError('TOOL_FAILED', `ctx.${operation}: text holds half a character.`)
  return Buffer.from(text, 'utf8')
}

function readBytesContent(operation: string, argument: JsonValue): Uint8Array {
  const text = readText(operation, readObject(operation, argument), 'base64')
  const bytes = Buffer.from(text, 'base64')
  // Node passes over what is no base64; something else would be written than was meant.
  if (bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')) return bytes
  throw new ToolError('TOOL_FAILED', `ctx.${operation}: base64 is no valid base64 text.`)
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ToolError('TOOL_FAILED', 'The file is no text in UTF-8. Use ctx.fs.readBytes.', {
      cause,
    })
  }
}

async function write(guard: FileGuard, { content, path, signal }: FileCall): Promise<null> {
  await guard.writeFile(path, content, { signal, createParents: true })
  return null
}

async function remove(guard: FileGuard, { path, signal }: FileCall): Promise<null> {
  try {
    await guard.deleteFile(path, { signal })
  } catch (error) {
    if (!ToolError.is(error, 'FILE_IS_FOLDER')) throw error
    await guard.deleteFolder(path, { signal })
  }
  return null
}

/** Whether a declared place is not there; whether it is, is not said of what the operator denies. */
async function isMissing(folders: ToolFolders, { path, signal }: FileCall): Promise<boolean> {
  if (folders.findMissing(path) === undefined) return false
  await folders.assertAllowed(path, signal)
  return true
}

/** What reading gives of a place that the tool may use and that is not there. */
function readNothing(operation: string, { path }: FileCall): JsonValue {
  if (operation === 'fs.exists') return false
  if (operation === 'fs.stat') return null
  throw notThere(path)
}

function notThere(path: string): ToolError<string> {
  return new ToolError<string>(
    'FILE_NOT_FOUND',
    `There is no file or folder ${JSON.stringify(path.slice(0, 300))}.`,
  )
}
