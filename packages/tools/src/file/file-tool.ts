import { dirname } from 'node:path'
import { type ToolPolicy, ToolPolicyViolation } from '@toolcrib/policy'
import type { FileFacts, FileGuard, FolderEntry } from '@toolcrib/policy/files'
import {
  type ToolContext,
  type ToolDefinition,
  ToolError,
  defineTool,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import type { CallerGuards } from '../caller-guards.ts'
import { explainForCallers, readCallerPolicy } from '../caller-policy.ts'
import { describeFileCall } from './file-description.ts'
import { encodeContent, readEncodingName } from './file-encoding.ts'
import { type FileInput, fileInputSchema } from './file-input.ts'
import {
  type FileOutput,
  type ShownEntry,
  type ShownFacts,
  fileOutputSchema,
} from './file-output.ts'
import { readText } from './file-read.ts'

/** How the file tool works. */
export interface FileToolOptions {
  readonly guard: FileGuard
  /** The guards for calls that came through made tools. @default none: such calls are refused */
  readonly callerGuards?: CallerGuards<FileGuard>
  /** @default 10_000 */
  readonly timeoutMs?: number
  /**
   * The most that one read gives, in bytes; bigger files are read in ranges. What the guard's own limit forbids stays
   * forbidden. @default 5_242_880
   */
  readonly maxReadBytes?: number
  /** How many entries `list` gives at most. @default 10_000 */
  readonly maxEntries?: number
}

type Outcome = Omit<FileOutput, 'operation' | 'path'>

const fileToolOptionNames: KnownOptions<FileToolOptions> = {
  guard: true,
  callerGuards: true,
  timeoutMs: true,
  maxReadBytes: true,
  maxEntries: true,
}

/** A tool that works on files, within what its guard allows. */
export function createFileTool(options: FileToolOptions): ToolDefinition {
  assertOptions<FileToolOptions>('createFileTool', options, fileToolOptionNames)
  const { guard, timeoutMs = 10_000, maxReadBytes = 5_242_880, maxEntries = 10_000 } = options
  assertCount('maxReadBytes', maxReadBytes)
  assertCount('maxEntries', maxEntries)
  const limits = { guard, maxReadBytes, maxEntries }
  return defineTool({
    name: 'file',
    description:
      'Works on files and folders: read, write, append, delete, exists, list, stat, move, copy, mkdir. ' +
      `A read gives at most ${maxReadBytes} bytes; with "truncated", go on at nextOffset. ` +
      'Writes replace the file as a whole; delete takes files and empty folders. Text is utf-8; use encoding base64 for other bytes.',
    inputSchema: fileInputSchema,
    outputSchema: fileOutputSchema,
    timeoutMs,
    // Hexadecimal doubles the bytes.
    maxOutputBytes: Math.max(10_485_760, 2 * maxReadBytes + 65_536),
    risk: 'medium',
    annotations: {
      title: 'Files',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    describeCall: describeFileCall,
    // Somebody may call it without an invoker, and so without a context.
    execute: async (input, signal, context?: ToolContext) => {
      signal.throwIfAborted()
      const { operation, path } = input
      const policy = readCallerPolicy(context)
      try {
        if (policy === undefined || context === undefined)
          return { operation, path, ...(await work(input, { ...limits, signal })) }
        return {
          operation,
          path,
          ...(await workFor(policy, input, { ...options, ...limits, signal })),
        }
      } catch (error) {
        const explained =
          context?.callerPolicy === undefined ? error : explainForCallers(error, context)
        throw namingField(explained, input)
      }
    },
  })
}

/** What a guard allows where a policy names no limit, in bytes. */
const usualMaxBytes = 1_048_576

/** The same for a call that came through made tools, within what they may touch. */
async function workFor(
  policy: ToolPolicy,
  input: FileInput,
  options: Work & Pick<FileToolOptions, 'callerGuards'>,
): Promise<Outcome> {
  const { callerGuards } = options
  if (callerGuards === undefined || (policy.fs_read ?? policy.fs_write) === undefined)
    throw new ToolPolicyViolation({
      rule: 'fs.path',
      tried: `${input.operation} ${JSON.stringify(input.path.slice(0, 200))}`,
      howToAsk: 'Ask an operator.',
    })
  const pageBytes = policy.fs_read?.maxBytes ?? usualMaxBytes
  const maxReadBytes = Math.max(4, Math.min(options.maxReadBytes, pageBytes))
  return callerGuards.use(policy, (guard) => work(input, { ...options, maxReadBytes, guard }))
}

interface Work {
  readonly guard: FileGuard
  readonly maxReadBytes: number
  readonly maxEntries: number
  readonly signal: AbortSignal
}

async function work(input: FileInput, options: Work): Promise<Outcome> {
  const { guard, signal } = options
  const { path, to = '', createParents = true, overwrite } = input
  switch (input.operation) {
    case 'read':
      return readText(input, options)
    case 'write':
      await guard.writeFile(path, encode(input), {
        signal,
        createParents,
        exclusive: overwrite === false,
      })
      break
    case 'append':
      await guard.appendFile(path, encode(input), { signal, createParents })
      break
    case 'delete':
      await deleteEntry(path, options)
      break
    case 'exists':
      return { result: (await guard.stat(path, { signal })) !== undefined }
    case 'list':
      return listFolder(input, options)
    case 'stat':
      return { result: showFacts(await statExisting(path, options)) }
    case 'move':
      await guard.move(path, to, { signal, createParents, overwrite: overwrite === true })
      break
    case 'copy':
      await guard.copy(path, to, { signal, createParents, overwrite: overwrite === true })
      break
    case 'mkdir':
      if (!createParents) await statExisting(dirname(path), options)
      await guard.createFolder(path, { signal })
      break
  }
  return { result: true }
}

/** An error of the guard with the field that it speaks of, which its verb tells. */
function namingField(error: unknown, { to }: FileInput): unknown {
  if (!ToolError.is(error)) return error
  const { path: shown, verb } = error.data
  if (typeof shown !== 'string') return error
  const isTo = to !== undefined && typeof verb === 'string' && verb.endsWith(' to')
  const field = isTo ? 'to' : 'path'
  return new ToolError<string>(error.code, `${field}: ${error.message}`, {
    cause: error,
    data: { ...error.data, field },
  })
}

function encode({ content = '', encoding }: FileInput): Uint8Array {
  return encodeContent(content, { encoding: readEncodingName(encoding), field: 'content' })
}

async function deleteEntry(path: string, { guard, signal }: Work): Promise<void> {
  try {
    await guard.deleteFile(path, { signal })
  } catch (error) {
    if (!ToolError.is(error, 'FILE_IS_FOLDER')) throw error
    await guard.deleteFolder(path, { signal })
  }
}

async function listFolder(
  { path, details = false }: FileInput,
  { guard, signal, maxEntries }: Work,
): Promise<Outcome> {
  const { entries, truncated } = await guard.listFolder(path, { signal, maxEntries, details })
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const result = details ? sorted.map(showEntry) : sorted.map(({ name }) => name)
  return { result, ...(truncated ? { truncated } : {}) }
}

async function statExisting(path: string, { guard, signal }: Work): Promise<FileFacts> {
  const facts = await guard.stat(path, { signal })
  if (facts !== undefined) return facts
  throw new ToolError<string>(
    'FILE_NOT_FOUND',
    `path: there is no file or folder ${JSON.stringify(path)}. List its folder to see what is there.`,
    { data: { field: 'path' } },
  )
}

function showEntry(entry: FolderEntry | { readonly name: string }): ShownEntry {
  return 'bytes' in entry ? { name: entry.name, ...showFacts(entry) } : { name: entry.name }
}

function showFacts({ type, bytes, modifiedAt, mode }: FileFacts): ShownFacts {
  return { type, bytes, modifiedAt, mode: mode.toString(8).padStart(4, '0') }
}

function assertCount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 4) return
  throw new ToolError(
    'TOOL_DEFINITION_INVALID',
    `createFileTool: ${field} must be a whole number of 4 or more, got ${value}.`,
    { data: { field } },
  )
}
