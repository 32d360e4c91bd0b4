import { join, resolve } from 'node:path'
import { type FolderLock, lockFolder } from '@toolcrib/folder-lock'
import { type KnownOptions, type Logger, assertOptions, silentLogger } from '@toolcrib/registry'
import { type RowPlace, decodeRow, encodeRow, genesisHash } from './audit-line.ts'
import { type FoundRows, findRows, scanAudit } from './audit-scan.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { AuditVerification, EventStore, StoreRecovery, StoredEvent } from './event-store.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { assertExpected } from './memory-event-store.ts'
import { isLifecycleEvent } from './readable-event.ts'
import { OwnFolder } from '../files/own-folder.ts'
import type { RowIndex } from './row-index.ts'
import { RowReader } from './row-reader.ts'
import { SharedStrings } from './shared-strings.ts'
import { type StoreFile, type StoreFileSystem, realFileSystem } from './store-file-system.ts'
import { storeWriteError } from './store-write-error.ts'

/** How to open a file store. */
export interface FileEventStoreOptions {
  /** Holds `audit.jsonl` and the readable files; made, for its owner only, where it is missing. */
  readonly directory: string
  /** @default 'default' */
  readonly namespace?: string
  /** How large one row may be, in bytes. @default 4_194_304 */
  readonly maxEventBytes?: number
  readonly logger?: Logger
  /** The file system underneath. @default the real one */
  readonly fileSystem?: StoreFileSystem
}

const defaultMaxEventBytes = 4 * 1_024 * 1_024

const fileEventStoreOptionNames: KnownOptions<FileEventStoreOptions> = {
  directory: true,
  namespace: true,
  maxEventBytes: true,
  logger: true,
  fileSystem: true,
}

/**
 * Opens the log `audit.jsonl` in a folder, and takes the folder's lock until it is closed. What an interrupted write left
 * behind is cut off, kept in a file beside it, and said in {@link EventStore.recovery}.
 *
 * @throws {FolderLockedError} FOLDER_LOCKED when another process, or this one, has it open.
 * @throws {ToolError} STORE_INVALID when `audit.jsonl` is a link or somebody else's, or does not begin with the first row of this
 *   namespace's log. Nothing is changed then.
 * @throws {ToolError} STORE_FULL or STORE_WRITE_FAILED when the folder cannot be written.
 */
export async function openFileEventStore(options: FileEventStoreOptions): Promise<EventStore> {
  assertOptions<FileEventStoreOptions>('openFileEventStore', options, fileEventStoreOptionNames)
  const { fileSystem = realFileSystem, logger = silentLogger, namespace = 'default' } = options
  const directory = resolve(options.directory)
  prepareFolder(directory)
  const lock = await lockFolder(directory, { purpose: `the made tools of namespace ${namespace}` })
  try {
    const path = join(directory, 'audit.jsonl')
    const file = await fileSystem.openFile(path)
    try {
      await fileSystem.syncFolder(directory)
      const found = await findRows(file, genesisHash(namespace))
      assertLog(path, namespace, found)
      const recovery = await cutUnfinished({ file, fileSystem, directory, found })
      if (recovery !== undefined)
        logger.warn({ ...recovery }, 'An unfinished write was cut off the event log')
      const { maxEventBytes = defaultMaxEventBytes } = options
      const parts = {
        directory,
        namespace,
        maxEventBytes,
        fileSystem,
        file,
        lock,
        rows: found.rows,
      }
      return new FileEventStore({ ...parts, ...(recovery === undefined ? {} : { recovery }) })
    } catch (error) {
      await file.close()
      throw error
    }
  } catch (error) {
    await lock.release()
    throw storeWriteError(error, `The event store in ${directory} could not be opened`)
  }
}

/** The lock opens its file by path: before that, no link may be on the way to a folder that lies in another store. */
function prepareFolder(directory: string): void {
  try {
    OwnFolder.prepareStore(directory)
  } catch (error) {
    throw storeWriteError(error, `The event store in ${directory} could not be opened`)
  }
}

/** What is not a log of this namespace is never cut or written to: it is in its place by mistake, or by somebody's will. */
function assertLog(path: string, namespace: string, { isLog }: FoundRows): void {
  if (isLog) return
  throw toolsmakerError(
    'STORE_INVALID',
    `${path} does not begin with the first row of the event log of namespace "${namespace}". Nothing was changed. ` +
      'Restore the log from a backup, open the namespace that it belongs to, or move the file away to begin anew.',
    { data: { file: path, rule: 'first-row' } },
  )
}

async function cutUnfinished(place: {
  readonly file: StoreFile
  readonly fileSystem: StoreFileSystem
  readonly directory: string
  readonly found: FoundRows
}): Promise<StoreRecovery | undefined> {
  const { directory, file, fileSystem, found } = place
  const { end } = found.rows
  const bytes = found.size - end
  if (bytes === 0) return undefined
  const rest = Buffer.alloc(bytes)
  await file.read(rest, 0, bytes, end)
  const keptAs = `audit.torn-at-${end}-${Date.now().toString(36)}.bin`
  await fileSystem.writeNewFile(join(directory, keptAs), rest)
  await file.truncate(end)
  await file.sync()
  await fileSystem.syncFolder(directory)
  return { bytes, keptAs }
}

interface FileEventStoreParts {
  readonly directory: string
  readonly namespace: string
  readonly maxEventBytes: number
  readonly fileSystem: StoreFileSystem
  readonly file: StoreFile
  readonly lock: FolderLock
  readonly rows: RowIndex
  readonly recovery?: StoreRecovery
}

class FileEventStore implements EventStore {
  readonly namespace: string
  readonly directory: string
  readonly recovery?: StoreRecovery
  readonly #parts: FileEventStoreParts
  readonly #rows: RowIndex
  readonly #reader: RowReader
  readonly #strings = new SharedStrings()
  #state: 'open' | 'unsure' | 'closed' = 'open'
  #closing = false
  #writing: Promise<unknown> = Promise.resolve()

  constructor(parts: FileEventStoreParts) {
    this.#parts = parts
    this.namespace = parts.namespace
    this.directory = parts.directory
    if (parts.recovery !== undefined) this.recovery = parts.recovery
    this.#rows = parts.rows
    this.#reader = new RowReader(parts.file, parts.rows, genesisHash(parts.namespace))
  }

  get sequence(): number {
    return this.#rows.count
  }

  get #size(): number {
    return this.#rows.end
  }

  async read(from = 1, to: number = this.sequence): Promise<readonly StoredEvent[]> {
    this.#assertOpen()
    const first = Math.max(1, from)
    const last = Math.min(to, this.sequence)
    if (first > last) return []
    const events: StoredEvent[] = []
    await this.#reader.read(first, last, (sequence, bytes, eventStart) => {
      events.push(this.#toStoredEvent(sequence, bytes, eventStart))
    })
    return events
  }

  append(events: readonly LifecycleEvent[], expectedSequence: number): Promise<number> {
    if (this.#closing)
      return Promise.reject(toolsmakerError('STORE_CLOSED', 'The event store is closed.'))
    const written = this.#writing.then(() => this.#append(events, expectedSequence))
    this.#writing = written.catch(() => undefined)
    return written
  }

  async hashAt(sequence: number): Promise<string | undefined> {
    this.#assertOpen()
    if (sequence > this.#rows.checked) await this.#reader.checkAll()
    return this.#rows.hashOf(sequence)
  }

  async verify(): Promise<AuditVerification> {
    this.#assertOpen()
    await this.#writing
    const { file, fileSystem } = this.#parts
    const events = this.sequence
    const known = await fileSystem.identify(join(this.directory, 'audit.jsonl'))
    const mine = await file.stat()
    if (known.ino !== mine.ino)
      return { ok: false, sequence: 1, reason: 'audit.jsonl was replaced by another file', events }
    const scan = await scanAudit(file, genesisHash(this.namespace))
    const first = scan.rows.firstProblem
    if (first !== undefined) return { ok: false, sequence: first[0], reason: first[1], events }
    const found = scan.rows.count
    if (found < events || scan.size !== this.#size)
      return {
        ok: false,
        sequence: Math.min(found, events) + 1,
        reason: `the file ends elsewhere than it was written: ${scan.size} bytes, expected ${this.#size}`,
        events,
      }
    const headHash = scan.next.previous ?? ''
    if (headHash !== (await this.#reader.checkAll()).previous)
      return { ok: false, sequence: events, reason: 'the log was written anew', events }
    return { ok: true, events, headHash }
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    await this.#writing
    this.#state = 'closed'
    try {
      await this.#parts.file.close()
    } finally {
      await this.#parts.lock.release()
    }
  }

  async #append(events: readonly LifecycleEvent[], expectedSequence: number): Promise<number> {
    this.#assertOpen()
    assertExpected(this.sequence, expectedSequence)
    if (events.length === 0) return this.sequence
    const { bytes, next, rows } = this.#encode(events, await this.#reader.checkAll())
    const start = this.#size
    await this.#assertUntouched()
    try {
      await this.#writeAll(bytes, start)
      await this.#parts.file.sync()
    } catch (error) {
      await this.#takeBack(start)
      throw storeWriteError(error, 'The event could not be recorded; the log is as it was')
    }
    this.#reader.add(rows, next)
    return this.sequence
  }

  /** Behind rows that somebody removed, the number of the next row is not the count of rows. */
  #encode(
    events: readonly LifecycleEvent[],
    place: RowPlace,
  ): {
    bytes: Buffer
    rows: readonly { readonly length: number; readonly digest: string }[]
    next: RowPlace
  } {
    let next = place
    const lines = events.map((event, index) => {
      const { line, rowHash: digest } = encodeRow({
        sequence: next.sequence,
        previous: next.previous ?? genesisHash(this.namespace),
        end: index === events.length - 1,
        event,
      })
      next = { sequence: next.sequence + 1, previous: digest }
      const bytes = Buffer.from(line)
      if (bytes.length <= this.#parts.maxEventBytes) return { bytes, digest, length: bytes.length }
      throw toolsmakerError(
        'EVENT_TOO_LARGE',
        `Event ${event.type} has ${bytes.length} bytes, at most ${this.#parts.maxEventBytes} are accepted. Make it smaller.`,
      )
    })
    return { bytes: Buffer.concat(lines.map(({ bytes }) => bytes)), rows: lines, next }
  }

  async #assertUntouched(): Promise<void> {
    const [there, mine] = await Promise.all([
      this.#parts.fileSystem.identify(join(this.directory, 'audit.jsonl')),
      this.#parts.file.stat(),
    ])
    if (there.ino === mine.ino && mine.size === this.#size) return
    throw toolsmakerError(
      'STORE_CONFLICT',
      'audit.jsonl was changed by somebody else while it was open. Nothing was written. Stop, look at it, and start again.',
    )
  }

  async #writeAll(bytes: Buffer, start: number): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      // oxlint-disable-next-line no-await-in-loop -- a short write is continued where it stopped
      const { bytesWritten } = await this.#parts.file.write(
        bytes,
        done,
        bytes.length - done,
        start + done,
      )
      done += bytesWritten
    }
  }

  /** Cuts a failed write off again. Where even that fails, nothing more is written until the store is opened anew. */
  async #takeBack(start: number): Promise<void> {
    try {
      await this.#parts.file.truncate(start)
      await this.#parts.file.sync()
    } catch {
      if (this.#state === 'open') this.#state = 'unsure'
    }
  }

  #toStoredEvent(
    sequence: number,
    bytes: Buffer | undefined,
    eventStart: number | undefined,
  ): StoredEvent {
    if (bytes === undefined)
      return { sequence, problem: 'the row is not the one that was checked: it was changed since' }
    const event = decodeRow(bytes, eventStart)
    const problem = this.#rows.problemOf(sequence)
    if (!isLifecycleEvent(event))
      return { sequence, problem: problem ?? 'the row does not hold an event' }
    this.#strings.share(event)
    return problem === undefined ? { sequence, event } : { sequence, event, problem }
  }

  #assertOpen(): void {
    if (this.#state === 'open') return
    if (this.#state === 'closed')
      throw toolsmakerError('STORE_CLOSED', 'The event store is closed.')
    throw toolsmakerError(
      'STORE_WRITE_FAILED',
      'A write failed and could not be taken back. Close the store and open it again.',
    )
  }
}
