import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@toolcrib/registry'
import type { FindModule } from '@toolcrib/kind-code'
import { beforeAbort } from '../generation/before-abort.ts'
import { isDynamicFile } from './dynamic-file-name.ts'
import { type DynamicFileEntry, DynamicFiles, type OpenFileOptions } from './dynamic-files.ts'
import { findLostFiles } from './dynamic-files-lost.ts'
import type {
  DynamicToolService,
  DynamicToolServiceOptions,
  LoadNowOptions,
} from './dynamic-tool-service.ts'
import type { DynamicToolListener, DynamicToolStatus } from './dynamic-tool-status.ts'
import { goneFile, readFileFacts } from './file-facts.ts'
import { fileInFolder, stopped, tooMany } from './dynamic-folder-errors.ts'
import { KeyedQueue } from '@toolcrib/toolsmaker/kind'
import {
  hasLiveVersions,
  loadDynamicFile,
  type LoadedDynamicFile,
  removeDynamicTool,
} from './load-dynamic-file.ts'
import { readDynamicFile } from './read-dynamic-file.ts'
import { WaitingForRoom } from './waiting-for-room.ts'
import { type FolderWatch, watchFolder } from './watch-folder.ts'

/** The options of the service with their defaults. */
export type DynamicFolderSettings = Required<
  Omit<DynamicToolServiceOptions, 'findModule' | 'logger' | 'registry'>
> & {
  readonly registry: DynamicToolServiceOptions['registry'] | undefined
  readonly findModule: FindModule | undefined
  readonly logger: Logger
}

/** What holds while the service runs. */
interface Run {
  readonly ending: AbortController
  readonly queue: KeyedQueue
  /** For files whose first try another one may have spoilt: one at a time. */
  readonly secondTries: KeyedQueue
  readonly unsubscribe: () => void
  watch: FolderWatch | undefined
}

const noSuchFile = 'There is no such file.'

/** How often, and after how many milliseconds, `loadNow` looks again at a file that is being written. */
const mostRereads = 20
const rereadMs = 50

/** The service of one folder; see {@link DynamicToolService}. */
export class DynamicFolder implements DynamicToolService {
  readonly #settings: DynamicFolderSettings
  readonly #directory: string
  readonly #files: DynamicFiles
  readonly #room: WaitingForRoom
  #run: Run | undefined
  /** Where the folder really is: what is watched is no link. */
  #place: string
  #starting: Promise<void> | undefined
  /** Starts and stops follow one another. */
  #turn: Promise<void> = Promise.resolve()
  #idle: (() => void)[] = []

  constructor(settings: DynamicFolderSettings) {
    this.#settings = settings
    this.#directory = resolve(settings.directory)
    this.#place = this.#directory
    this.#files = new DynamicFiles(settings)
    const retry = (file: string): void => this.#touch(file)
    this.#room = new WaitingForRoom({ toolsmaker: settings.toolsmaker, retry })
  }

  initialize(): Promise<void> {
    if (this.#starting !== undefined) return this.#starting
    const starting = this.#inTurn(() => this.#start())
    this.#starting = starting
    starting.catch(() => {
      if (this.#starting === starting) this.#starting = undefined
    })
    return starting
  }

  shutdown(): Promise<void> {
    this.#starting = undefined
    return this.#inTurn(() => this.#stop())
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #stop(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    if (run === undefined) return
    run.unsubscribe()
    run.ending.abort(stopped())
    await run.watch?.close()
    await run.queue.whenIdle()
    this.#files.clear()
    this.#room.clear()
    this.#tellIdle()
  }

  list(): readonly DynamicToolStatus[] {
    return this.#files.list()
  }

  async loadNow(path: string, { signal }: LoadNowOptions = {}): Promise<DynamicToolStatus> {
    signal?.throwIfAborted()
    if (this.#run === undefined) throw stopped()
    const run = this.#run
    const entry = this.#files.open(fileInFolder(path, this.#directory))
    if (entry === undefined) throw tooMany(path, this.#settings.maxFiles)
    clearTimeout(entry.timer)
    entry.timer = undefined
    this.#files.setPending(entry)
    const { signal: ending } = run.ending
    const either = signal === undefined ? ending : AbortSignal.any([signal, ending])
    try {
      return await beforeAbort(
        this.#enqueue(entry, run, () => this.#readNow(entry, run, either)),
        either,
      )
    } catch (error) {
      // What was cut short is done later, so that no file is lost.
      if (!ending.aborted) this.#touch(entry.file)
      throw error
    }
  }

  async whenIdle({ signal }: LoadNowOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    const never = new AbortController().signal
    while (this.#run !== undefined && this.#files.isBusy) {
      const { promise, resolve: tell } = Promise.withResolvers<void>()
      this.#idle.push(tell)
      // oxlint-disable-next-line no-await-in-loop -- what ended may have begun something else
      await beforeAbort(promise, signal ?? never)
    }
  }

  on(_event: 'changed', listener: DynamicToolListener): () => void {
    return this.#files.listen(listener)
  }

  async #start(): Promise<void> {
    const { maxConcurrent, registry, toolsmaker } = this.#settings
    const made = await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const tell = ({ name }: { readonly name: string }): void => {
      this.#files.tellOfTool(name)
    }
    const subscriptions = [
      toolsmaker.onEvent(({ event }) => {
        if (event === undefined) return
        if ('name' in event) tell(event)
        this.#room.follow(event)
      }),
      // Whoever changes the registry may not be done when it tells of it.
      registry?.on('changed', (change) => {
        setImmediate(tell, change)
      }),
    ]
    const run: Run = {
      ending: new AbortController(),
      queue: new KeyedQueue(maxConcurrent),
      secondTries: new KeyedQueue(1),
      unsubscribe: () => {
        for (const unsubscribe of subscriptions) unsubscribe?.()
      },
      watch: undefined,
    }
    this.#run = run
    try {
      await this.#watchAndScan(run)
    } catch (error) {
      this.#run = undefined
      run.unsubscribe()
      await run.watch?.close()
      throw error
    }
    // A folder that was not there says nothing about what was deleted from it.
    if (made === undefined)
      for (const file of findLostFiles(toolsmaker, this.#files.names()))
        this.#touch(file, { isLost: true })
  }

  async #watchAndScan(run: Run): Promise<void> {
    const { logger, pollIntervalMs, usePolling } = this.#settings
    this.#place = await realpath(this.#directory)
    run.watch = await watchFolder(this.#place, {
      usePolling,
      pollIntervalMs,
      logger,
      onFile: (file) => {
        if (this.#run === run) this.#touch(file)
      },
      onFolderGone: () => {
        void this.#reopen(run)
      },
    })
    for (const file of await this.#namesThere())
      // oxlint-disable-next-line no-await-in-loop -- a thousand at once would be too many
      await this.#loadFound(file, run)
  }

  async #namesThere(): Promise<readonly string[]> {
    const names = await readdir(this.#place)
    return names.filter((name) => isDynamicFile(name)).toSorted()
  }

  /** One file less leaves room for another one. */
  async #fillRoom(run: Run): Promise<void> {
    const names = await this.#namesThere().catch(() => [])
    if (this.#run !== run) return
    const known = this.#files.names()
    for (const file of names) if (!known.has(file)) this.#touch(file)
  }

  /** The folder was deleted as a whole, so there is nothing left to watch: it is made again. */
  async #reopen(run: Run): Promise<void> {
    if (this.#run !== run) return
    const { logger } = this.#settings
    const directory = this.#directory
    logger.warn({ directory }, 'The folder of dynamic tools was deleted')
    try {
      await run.watch?.close()
      for (const file of this.#files.names()) this.#touch(file)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await this.#watchAndScan(run)
      if (this.#run !== run) await run.watch?.close()
    } catch (error) {
      logger.error({ error, directory }, 'The folder of dynamic tools is not watched any more')
    }
  }

  /** A file that was there before. What was written just now may not be all of it. */
  async #loadFound(file: string, run: Run): Promise<void> {
    const facts = await lstat(join(this.#place, file)).catch(() => undefined)
    const isFresh =
      facts !== undefined && Math.abs(Date.now() - facts.mtimeMs) < this.#settings.debounceMs
    if (isFresh) return this.#touch(file)
    const entry = this.#files.open(file)
    if (entry === undefined || entry.timer !== undefined) return
    this.#files.setPending(entry)
    this.#load(entry, run)
  }

  /** Something happened to a file: it is looked at when it has been left alone. */
  #touch(file: string, options: OpenFileOptions = {}): void {
    const run = this.#run
    const isSeen = isDynamicFile(file) && run !== undefined
    const entry = isSeen ? this.#files.open(file, options) : undefined
    if (entry === undefined || run === undefined) return
    clearTimeout(entry.timer)
    this.#files.setPending(entry)
    const before = readFileFacts(join(this.#place, file))
    const timer = setTimeout(() => {
      void this.#settle(entry, run, { before, timer })
    }, this.#settings.debounceMs)
    entry.timer = timer
  }

  async #settle(
    entry: DynamicFileEntry,
    run: Run,
    { before, timer }: { readonly before: Promise<string>; readonly timer: NodeJS.Timeout },
  ): Promise<void> {
    const [first, now] = await Promise.all([before, readFileFacts(join(this.#place, entry.file))])
    if (entry.timer !== timer || this.#run !== run) return
    // It went on growing without a word from the system.
    if (first !== now) return this.#touch(entry.file)
    entry.timer = undefined
    this.#files.setPending(entry)
    this.#load(entry, run, now === goneFile)
  }

  #load(entry: DynamicFileEntry, run: Run, isGone = false): void {
    const { signal } = run.ending
    const work = async (): Promise<void> => {
      // It changed again meanwhile, or somebody loaded it now.
      if (entry.timer !== undefined || entry.status !== 'pending') return
      const found = await this.#read(entry, run, signal)
      if (found === 'gone' && isGone) await this.#remove(entry, run)
      else if (found !== 'done') this.#touch(entry.file)
    }
    this.#enqueue(entry, run, work).catch((error: unknown) => {
      if (!signal.aborted) this.#files.fail(entry, String(error))
      this.#tellIdle()
    })
  }

  async #readNow(
    entry: DynamicFileEntry,
    run: Run,
    signal: AbortSignal,
  ): Promise<DynamicToolStatus> {
    for (let left = mostRereads; left > 0; left -= 1) {
      signal.throwIfAborted()
      // oxlint-disable-next-line no-await-in-loop -- looks again at what is being written
      const found = await this.#read(entry, run, signal)
      if (found === 'done') return this.#files.statusOf(entry)
      // oxlint-disable-next-line no-await-in-loop -- it returns
      if (found === 'gone') return await this.#missNow(entry, run)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await wait(rereadMs, undefined, { signal })
    }
    this.#touch(entry.file)
    return this.#files.statusOf(entry)
  }

  /** A file that is being saved may be away for a moment: its tool goes out of use when it stayed away. */
  async #missNow(entry: DynamicFileEntry, run: Run): Promise<DynamicToolStatus> {
    const { file, name } = entry
    const isLive =
      typeof name !== 'string' && hasLiveVersions({ file, ...name }, this.#settings.toolsmaker)
    if (isLive) this.#touch(file)
    else await this.#remove(entry, run)
    return { ...this.#files.statusOf(entry), status: 'failed', reason: noSuchFile }
  }

  /** Files of one tool are loaded one after the other, in the order in which they came. */
  async #enqueue<Value>(
    { file, name }: DynamicFileEntry,
    { queue }: Run,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const key = typeof name === 'string' ? file : name.toolName.toLowerCase()
    try {
      return await queue.run(key, work)
    } finally {
      this.#tellIdle()
    }
  }

  async #read(
    entry: DynamicFileEntry,
    run: Run,
    signal: AbortSignal,
  ): Promise<'done' | 'changing' | 'gone'> {
    const { file, name } = entry
    const content = await readDynamicFile(join(this.#place, file), this.#settings.maxFileBytes)
    if (this.#run !== run) return 'done'
    if (content.type === 'changing' || content.type === 'gone') return content.type
    if (typeof name === 'string') this.#files.fail(entry, name)
    else if (content.type === 'refused') this.#files.fail(entry, content.reason)
    else await this.#loadContent({ ...content, ...name, file }, entry, { run, signal })
    return 'done'
  }

  async #remove(entry: DynamicFileEntry, run: Run): Promise<void> {
    const { file, name } = entry
    const isName = typeof name !== 'string'
    if (isName && (await removeDynamicTool({ file, ...name }, this.#settings))) {
      const data = { file, name: name.toolName }
      this.#settings.logger.info(data, 'A dynamic tool is out of use: its file is gone')
      // Another agent's file may have waited for the name.
      for (const other of this.#files.failedOf(name.toolName)) this.#touch(other)
    }
    this.#room.remove(file)
    this.#files.forget(entry, noSuchFile)
    if (this.#files.takeLeftAlone()) await this.#fillRoom(run)
  }

  async #loadContent(
    file: Parameters<typeof loadDynamicFile>[0],
    entry: DynamicFileEntry,
    { run, signal }: { readonly run: Run; readonly signal: AbortSignal },
  ): Promise<void> {
    const since = this.#room.begin(entry.file)
    const { contentHash } = file
    const { reason, version: known } = entry
    if (entry.contentHash === contentHash && known !== undefined)
      return reason === undefined
        ? this.#files.setLoaded(entry, { contentHash, version: known })
        : this.#files.fail(entry, reason)
    const load = (): Promise<LoadedDynamicFile> => loadDynamicFile(file, this.#settings, signal)
    let loaded = await load()
    // A file that took the sandbox's time may have taken that of this one.
    if (loaded.mayBeSpoilt === true) loaded = await run.secondTries.run('', load)
    const { problem, version } = loaded
    if (problem === undefined && version !== undefined)
      return this.#files.setLoaded(entry, { contentHash, version })
    Object.assign(entry, { version, contentHash })
    this.#files.fail(entry, problem ?? 'It gave no version.')
    if (loaded.overQuota !== undefined) this.#room.add(entry.file, loaded.overQuota, since)
  }

  #tellIdle(): void {
    if (this.#run === undefined || !this.#files.isBusy)
      for (const tell of this.#idle.splice(0)) tell()
  }
}
