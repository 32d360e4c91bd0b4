import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

/** What is in a file, or why it is not read. */
export type DynamicFileContent =
  | { readonly type: 'read'; readonly source: string; readonly contentHash: string }
  | { readonly type: 'refused'; readonly reason: string }
  /** It changed while it was read. */
  | { readonly type: 'changing' }
  | { readonly type: 'gone' }

// A link is not followed, and a pipe without a writer is not waited for. Windows has neither flag; there the look before has to do.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const isPassing: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY'])

/** Reads one file of the folder: a regular file with one name, of bounded size, that nobody writes meanwhile. */
export async function readDynamicFile(path: string, maxBytes: number): Promise<DynamicFileContent> {
  let handle: FileHandle | undefined
  try {
    const seen = await lstat(path)
    const refusal = refuse(seen, maxBytes)
    if (refusal !== undefined) return refusal
    handle = await open(path, flags)
    return await readOpened(handle, { maxBytes, inode: seen.ino })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { type: 'gone' }
    // A link by now; or the system has no more files to open at this moment, and will have again.
    if (code === 'ELOOP' || isPassing.has(code)) return { type: 'changing' }
    return { type: 'refused', reason: `The file cannot be read (${code ?? String(error)}).` }
  } finally {
    await handle?.close()
  }
}

interface FileFacts {
  readonly ino: number
  readonly size: number
  readonly nlink: number
  readonly mtimeMs: number
  isFile(): boolean
  isSymbolicLink(): boolean
}

function refuse(
  facts: FileFacts,
  maxBytes: number,
): { readonly type: 'refused'; readonly reason: string } | undefined {
  const reason = facts.isSymbolicLink()
    ? 'It is a symbolic link, which is not followed. Put the file itself there.'
    : !facts.isFile()
      ? 'It is no regular file.'
      : facts.nlink !== 1
        ? 'It has more than one name (a hard link). Put a copy there.'
        : facts.size > maxBytes
          ? `It has ${facts.size} bytes, at most ${maxBytes} are read.`
          : undefined
  return reason === undefined ? undefined : { type: 'refused', reason }
}

async function readOpened(
  handle: FileHandle,
  { inode, maxBytes }: { readonly maxBytes: number; readonly inode: number },
): Promise<DynamicFileContent> {
  const before = await handle.stat()
  if (before.ino !== inode) return { type: 'changing' }
  const refusal = refuse(before, maxBytes)
  if (refusal !== undefined) return refusal
  // One byte more than there should be, so that a file that grew is noticed.
  const buffer = Buffer.alloc(before.size + 1)
  let length = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the parts of a file come one after the other
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    length += bytesRead
    if (bytesRead === 0 || length === buffer.length) break
  }
  const after = await handle.stat()
  if (length !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
    return { type: 'changing' }
  const bytes = buffer.subarray(0, length)
  const contentHash = createHash('sha256').update(bytes).digest('hex')
  try {
    return {
      type: 'read',
      source: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      contentHash,
    }
  } catch {
    return { type: 'refused', reason: 'It is no text in UTF-8.' }
  }
}
