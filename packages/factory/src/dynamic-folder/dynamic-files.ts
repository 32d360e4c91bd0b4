import type { Logger } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { type DynamicFileName, readDynamicFileName } from './dynamic-file-name.ts'
import { showText } from '@toolcrib/toolsmaker/kind'
import type {
  DynamicToolChange,
  DynamicToolListener,
  DynamicToolStatus,
} from './dynamic-tool-status.ts'

/** What is known about one file. */
export interface DynamicFileEntry {
  readonly file: string
  /** Or what is wrong with the file's name. */
  readonly name: DynamicFileName | string
  status: DynamicToolStatus['status']
  reason: string | undefined
  version: number | undefined
  contentHash: string | undefined
  /** Runs out when the file has been left alone for long enough. */
  timer: NodeJS.Timeout | undefined
}

/** What the entries of a folder need. */
export interface DynamicFilesOptions {
  readonly toolsmaker: Pick<Toolsmaker, 'listVersions'>
  readonly maxFiles: number
  readonly logger: Logger
}

/** How a file comes to be known. */
export interface OpenFileOptions {
  /** It went while nobody watched, and takes no room for long. @default false */
  readonly isLost?: boolean
}

/** The files of a folder and how they stand, and who wants to hear of it. */
export class DynamicFiles {
  readonly #options: DynamicFilesOptions
  readonly #entries = new Map<string, DynamicFileEntry>()
  readonly #listeners = new Set<DynamicToolListener>()
  #hasLeftAlone = false

  constructor(options: DynamicFilesOptions) {
    this.#options = options
  }

  /** Whether a file is about to be read, or being read. */
  get isBusy(): boolean {
    return [...this.#entries.values()].some(
      ({ status, timer }) => status === 'pending' || timer !== undefined,
    )
  }

  names(): ReadonlySet<string> {
    return new Set(this.#entries.keys())
  }

  list(): readonly DynamicToolStatus[] {
    return [...this.#entries.values()]
      .toSorted((left, right) => (left.file < right.file ? -1 : 1))
      .map((entry) => this.statusOf(entry))
  }

  /** The entry of a file, a new one where there is none; `undefined` when there are too many. */
  open(file: string, { isLost = false }: OpenFileOptions = {}): DynamicFileEntry | undefined {
    const known = this.#entries.get(file)
    if (known !== undefined) return known
    const { logger, maxFiles } = this.#options
    if (!isLost && this.#entries.size >= maxFiles) {
      // Once: there may be a million of them.
      if (!this.#hasLeftAlone)
        logger.warn({ file, maxFiles }, 'Dynamic tools are left alone: there are too many files')
      this.#hasLeftAlone = true
      return undefined
    }
    const entry: DynamicFileEntry = {
      file,
      name: readDynamicFileName(file),
      status: 'pending',
      reason: undefined,
      version: undefined,
      contentHash: undefined,
      timer: undefined,
    }
    this.#entries.set(file, entry)
    this.#tell(entry)
    return entry
  }

  setPending(entry: DynamicFileEntry): void {
    if (entry.status === 'pending') return
    entry.status = 'pending'
    this.#tell(entry)
  }

  setLoaded(
    entry: DynamicFileEntry,
    { contentHash, version }: { readonly contentHash: string; readonly version: number },
  ): void {
    const isNews = entry.version !== version || entry.contentHash !== contentHash
    Object.assign(entry, { status: 'loaded', reason: undefined, version, contentHash })
    if (isNews)
      this.#options.logger.info({ file: entry.file, version }, 'A dynamic tool is on record')
    this.#tell(entry)
  }

  fail(entry: DynamicFileEntry, reason: string): void {
    Object.assign(entry, { status: 'failed', reason })
    this.#options.logger.warn({ file: entry.file, reason }, 'A dynamic tool failed to load')
    this.#tell(entry)
  }

  /** The file is gone. */
  forget(entry: DynamicFileEntry, reason: string): void {
    const isComingBack = entry.timer !== undefined
    Object.assign(entry, {
      status: isComingBack ? 'pending' : 'failed',
      reason: isComingBack ? undefined : reason,
      version: undefined,
      contentHash: undefined,
    })
    if (isComingBack || this.#entries.get(entry.file) !== entry) return
    this.#entries.delete(entry.file)
    this.#announce({ file: entry.file })
  }

  /** Whether files were left alone since this was last asked. */
  takeLeftAlone(): boolean {
    const hasLeftAlone = this.#hasLeftAlone
    this.#hasLeftAlone = false
    return hasLeftAlone
  }

  /** The files that could not become a tool of that name. */
  failedOf(toolName: string): readonly string[] {
    return [...this.#entries.values()]
      .filter(
        ({ name, status }) =>
          status === 'failed' && typeof name !== 'string' && name.toolName === toolName,
      )
      .map(({ file }) => file)
  }

  clear(): void {
    this.#hasLeftAlone = false
    for (const { timer } of this.#entries.values()) clearTimeout(timer)
    this.#entries.clear()
  }

  statusOf(entry: DynamicFileEntry): DynamicToolStatus {
    const { contentHash, file, name, reason, status, version } = entry
    const lifecycle = this.#versionOf(entry)
    const why = reason ?? lifecycle?.reason
    return {
      file,
      ...(typeof name === 'string' ? {} : name),
      status,
      ...(status === 'pending' || why === undefined ? {} : { reason: showText(why) }),
      ...(version === undefined ? {} : { version }),
      ...(lifecycle === undefined ? {} : { lifecycleStatus: lifecycle.status }),
      ...(contentHash === undefined ? {} : { contentHash }),
    }
  }

  /** Something happened to a tool: whoever listens hears how its files stand. */
  tellOfTool(toolName: string): void {
    for (const entry of this.#entries.values())
      if (typeof entry.name !== 'string' && entry.name.toolName === toolName) this.#tell(entry)
  }

  listen(listener: DynamicToolListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #versionOf({
    name,
    version,
  }: DynamicFileEntry): ReturnType<Toolsmaker['listVersions']>[number] | undefined {
    if (typeof name === 'string' || version === undefined) return undefined
    const versions = this.#options.toolsmaker.listVersions(name.toolName)
    return versions.find((entry) => entry.version === version)
  }

  #tell(entry: DynamicFileEntry): void {
    if (this.#listeners.size > 0) this.#announce({ file: entry.file, status: this.statusOf(entry) })
  }

  #announce(change: DynamicToolChange): void {
    for (const listener of this.#listeners)
      try {
        listener(change)
      } catch (error) {
        this.#options.logger.error(
          { error, file: change.file },
          'A listener of dynamic tools failed',
        )
      }
  }
}
