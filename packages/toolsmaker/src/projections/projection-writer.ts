import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import type { LifecycleState } from '../lifecycle/lifecycle-state.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { ProjectionReport } from '../toolsmaker.ts'
import { ActiveVersionsFile } from './active-versions-file.ts'
import { CheckedFiles, type FileState } from './checked-files.ts'
import { ComparedFiles, isSameState } from './compared-files.ts'
import {
  type ProjectionFile,
  renderCustomTool,
  renderCustomToolOf,
  renderVersionFiles,
} from './projection-files.ts'
import { type FolderLooks, ReadableFolder } from './readable-folder.ts'
import {
  type UnrecordedCustomTool,
  isOwnCustomTool,
  readUnrecordedCustomTools,
} from './unrecorded-custom-tools.ts'
import { WrittenFiles } from './written-files.ts'

interface Findings extends ProjectionReport {
  readonly written: string[]
  readonly restored: string[]
  readonly failed: { readonly file: string; readonly reason: string }[]
}

const markFile = '.projected'
const listFile = '.projected-hashes'
/** Written behind the mark: whoever wrote it has kept the list of what was written. Releases that kept none read no mark. */
const markEdition = 2
/** Raised whenever the readable files are written in another form. */
const fileEdition = 1
/** So many versions are compared at each check whatever their files' times say: a release may write other words than the last. */
const sampledVersions = 128
/** How long commands wait for a part of a check, in milliseconds. */
const sliceMs = 10

/**
 * Keeps the readable files beside the log as the log says. Nothing is ever run from them, so a file that cannot be
 * written is logged, and restored at the next check.
 */
export class ProjectionWriter {
  readonly #engine: LifecycleEngine
  readonly #folder: ReadableFolder
  readonly #active: ActiveVersionsFile
  readonly #list: WrittenFiles
  readonly #compared: ComparedFiles
  #checking: Promise<ProjectionReport> | undefined
  /** Up to which event the files were written when the store was opened; what came later may be old or missing. */
  #mark = 0
  #savedMark = ''
  /** The end of the log when the store was opened; the files of later events are written as they happen. */
  #openedAt = 0
  /** Every file was compared once, so from now on what differs was changed by somebody. */
  #isChecked = false
  /** Whether all files were written by releases that keep the list. Others may have used other words. */
  #isListed = false
  #isClosed = false

  private constructor(engine: LifecycleEngine, folder: ReadableFolder, key: Buffer) {
    this.#engine = engine
    this.#folder = folder
    this.#active = new ActiveVersionsFile(engine, folder)
    this.#list = new WrittenFiles(folder)
    this.#compared = new ComparedFiles(folder, new CheckedFiles(folder, key))
  }

  /** Opens the folder, and reads how far the files were written, before anything is written anew. */
  static async open(engine: LifecycleEngine, directory: string): Promise<ProjectionWriter> {
    const folder = new ReadableFolder(directory, {
      versionCount: () => countVersions(engine.state),
    })
    try {
      const writer = new ProjectionWriter(engine, folder, await sealingKey(engine))
      writer.#readMark()
      return writer
    } catch (error) {
      folder.close()
      throw error
    }
  }

  /** Writes the files of versions that changed. */
  async follow(changed: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    await this.#attempt(() => this.#compared.settle(), 'the list of compared files')
    for (const [name, versions] of changed) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#attempt(() => this.#followCustomTool(name), name)
      for (const version of versions) {
        const record = this.#engine.state.get(name, version)
        if (record === undefined) continue
        // oxlint-disable-next-line no-await-in-loop -- a command touches one or two versions
        await this.#attempt(async () => {
          const files = await renderVersionFiles(this.#engine, record)
          this.#list.add(files)
          for (const file of files) this.#folder.write(file)
          await this.#expect(record, files)
        }, name)
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#attempt(() => this.#active.follow(name), 'active_versions')
    }
    await this.#attempt(() => this.#saveMark(), markFile)
  }

  /**
   * Compares the files with the log and restores what is missing or different. Files that nobody has changed since they were
   * compared are not read. One check runs at a time.
   */
  check(): Promise<ProjectionReport> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** The files in `custom-tools` that no record matches. Those that were written here, and not changed since, are not read. */
  async readUnrecordedCustomTools(): Promise<readonly UnrecordedCustomTool[]> {
    const { state } = this.#engine
    this.#compared.open()
    try {
      return await readUnrecordedCustomTools(this.#engine, (name, stats) => {
        const tool = state.tools.get(name)
        if (tool?.active === undefined) return false
        const checked = this.#compared.find(name, tool.active, tool.sequences.at(-1) ?? 0)
        const file = checked?.files.find(({ path }) => path === customToolPath(name))
        return file !== undefined && isSameState(file, stats)
      })
    } finally {
      this.#compared.close()
    }
  }

  /** Lets go of the folder. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      this.#compared.settle()
    } catch (error) {
      this.#engine.logger.warn({ error }, 'The list of compared files could not be written')
    }
    this.#active.close()
    this.#folder.close()
  }

  #readMark(): void {
    let text: string | undefined
    try {
      text = this.#folder.read(markFile)
    } catch {
      // Then nothing is known.
    }
    const [mark, edition] = (text ?? '0').split(' ').map(Number)
    this.#openedAt = this.#engine.state.sequence
    this.#mark = Number.isSafeInteger(mark) ? Number(mark) : 0
    this.#savedMark = text ?? ''
    this.#isListed = edition === markEdition
  }

  async #check(): Promise<ProjectionReport> {
    const report: Findings = { written: [], restored: [], failed: [] }
    const { queue, state } = this.#engine
    // This one first, for it is written with every event; what is found is put on record last.
    const found = await queue.run(async () => {
      await this.#attempt(() => this.#compared.open(), 'the list of compared files')
      return this.#checkActiveVersions(report)
    })
    const sampleShare = sampledVersions / countVersions(state)
    const doubted = new Set<string>()
    await this.#checkAll(report, { sampleShare, doubted, onlyDoubted: false })
    // A sample was written in other words, so the files of all versions of its kind are compared.
    if (doubted.size > 0)
      await this.#checkAll(report, { sampleShare: 0, doubted, onlyDoubted: true })
    await queue.run(async () => {
      this.#isChecked = true
      this.#isListed = true
      await this.#attempt(() => this.#list.close(), listFile)
      this.#compared.close()
      await this.#attempt(
        () => this.#compared.tidy(countVersions(state)),
        'the list of compared files',
      )
      await this.#engine.record(found)
      await this.#attempt(() => this.#saveMark(), markFile)
    })
    return report
  }

  /** Goes through all versions, in slices between which commands have their turn. */
  async #checkAll(report: Findings, plan: CheckPlan): Promise<void> {
    const customTools = new Set(this.#folder.names('custom-tools'))
    const records = recordsOf(this.#engine.state)
    let isDone = false
    while (!isDone) {
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other
      isDone = await this.#engine.queue.run(async () => {
        const until = performance.now() + sliceMs
        using looks = this.#folder.looks()
        while (performance.now() < until) {
          // A loop over the generator would end it with its first slice.
          const { done, value: record } = records.next()
          if (done === true) return true
          if (this.#isUnchanged(record, { plan, customTools, looks })) continue
          // oxlint-disable-next-line no-await-in-loop -- one after the other leaves the disk to those who wait for it
          await this.#checkVersion(record, report, plan.doubted)
        }
        return false
      })
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#attempt(() => this.#compared.settle(), 'the list of compared files')
      // oxlint-disable-next-line no-await-in-loop -- as above
      await nextTurn()
    }
  }

  #isUnchanged(
    { kind, name, version }: VersionRecord,
    { customTools, looks, plan }: UnchangedOptions,
  ): boolean {
    if (plan.onlyDoubted && !plan.doubted.has(kind)) return true
    if (plan.doubted.has(kind) || Math.random() < plan.sampleShare) return false
    const tool = this.#engine.state.tools.get(name)
    if (tool?.active === version && !customTools.has(`${name}.json`)) return false
    const checked = this.#compared.find(name, version, tool?.sequences.at(-1) ?? 0)
    return (
      checked?.files.every(
        (file) =>
          file.path.startsWith('custom-tools/') || isSameState(file, looks.stats(file.path)),
      ) === true
    )
  }

  async #checkVersion(
    { kind, name, version }: VersionRecord,
    report: Findings,
    doubted: Set<string>,
  ): Promise<void> {
    const tool = this.#engine.state.tools.get(name)
    // As it is by now.
    const record = tool?.versions.get(version)
    if (tool === undefined || record === undefined) return
    try {
      const isOld = this.#mayBeOld(tool.sequences)
      const known = this.#compared.find(name, version, tool.sequences.at(-1) ?? 0)
      const events: LifecycleEvent[] = []
      const fresh: ProjectionFile[] = []
      const files = await renderVersionFiles(this.#engine, record)
      for (const file of files) {
        const state = known?.files.find(({ path }) => path === file.path)
        const isCompared = state !== undefined && isSameState(state, this.#folder.stats(file.path))
        const before = this.#restore(file, report)
        if (before === undefined) {
          if (!isCompared && !this.#isOnList(file)) fresh.push(file)
          continue
        }
        fresh.push(file)
        if (isOld) continue
        if (this.#wasChanged({ path: file.path, text: before }, { state, isCompared }))
          events.push(this.#tampered(file.path, name, version))
        else {
          doubted.add(kind)
          this.#engine.logger.info({ file: file.path }, 'A readable file is written in new words')
        }
      }
      this.#list.add(fresh)
      if (tool.active === version) await this.#restoreCustomTool(name, report)
      if (known === undefined || fresh.length > 0)
        await this.#expect(record, files, known !== undefined)
      await this.#engine.record(events)
    } catch (error) {
      report.failed.push({ file: `${name}_v${version}`, reason: reasonOf(error) })
    }
  }

  /** Whether somebody else wrote what a file held: it was changed since it was compared, or nothing says that it was ever written here. */
  #wasChanged(
    file: ProjectionFile,
    { isCompared, state }: { readonly isCompared: boolean; readonly state: FileState | undefined },
  ): boolean {
    if (!this.#isListed) return false
    if (state !== undefined && !isCompared) return true
    this.#list.open()
    return !this.#list.wrote(file)
  }

  #isOnList(file: ProjectionFile): boolean {
    if (!this.#isListed) return false
    this.#list.open()
    return this.#list.has(file)
  }

  /** Notes the files of a version, and its custom tool file where that is ours, to be told unchanged by their times. */
  async #expect(
    { name, version }: VersionRecord,
    files: readonly ProjectionFile[],
    isKnown = false,
  ): Promise<void> {
    const tool = this.#engine.state.tools.get(name)
    const custom = tool?.active === version ? await renderCustomTool(this.#engine, name) : undefined
    const own = custom !== undefined && this.#folder.read(custom.path) === custom.text
    const sequence = tool?.sequences.at(-1) ?? 0
    // What is on the list about them holds no longer.
    if (isKnown) this.#compared.forget(name, version)
    this.#compared.expect({ name, version, sequence, files: own ? [...files, custom] : files })
  }

  async #restoreCustomTool(name: string, report: Findings): Promise<void> {
    const file = await renderCustomTool(this.#engine, name)
    // One that differs is somebody's proposal, and stays.
    if (file === undefined || this.#folder.stats(file.path) !== undefined) return
    this.#folder.write(file)
    report.written.push(file.path)
  }

  #checkActiveVersions(report: Findings): readonly LifecycleEvent[] {
    const file = 'active_versions.json'
    try {
      const found = this.#active.restore()
      if (found === undefined) return []
      if (found.isNew) report.written.push(file)
      else report.restored.push(file)
      if (this.#mayBeOld([this.#openedAt])) return []
      return found.names.map(([name, version]) => this.#tampered(file, name, version))
    } catch (error) {
      report.failed.push({ file, reason: reasonOf(error) })
      return []
    }
  }

  /** Whether a file may be old because the process ended between the record and the file. */
  #mayBeOld(sequences: readonly number[]): boolean {
    if (this.#isChecked) return false
    return sequences.some((sequence) => sequence > this.#mark && sequence <= this.#openedAt)
  }

  /** Writes a file that is missing or different; gives what a different one held. */
  #restore(file: ProjectionFile, report: Findings): string | undefined {
    const there = this.#folder.read(file.path)
    if (there === file.text) return undefined
    this.#folder.write(file)
    if (there === undefined) report.written.push(file.path)
    else report.restored.push(file.path)
    return there
  }

  #tampered(file: string, name: string, version: number): LifecycleEvent {
    const reason = `the file ${file} was changed and is restored from the log`
    this.#engine.logger.warn({ file, name, version }, 'A readable file was changed and is restored')
    const frame = this.#engine.stamp(this.#engine.host)
    return { ...frame, type: 'tool_tampered', name, version, file, reason }
  }

  async #followCustomTool(name: string): Promise<void> {
    const path = customToolPath(name)
    const isThere = this.#folder.stats(path) !== undefined
    // A file that no version on record matches is somebody's proposal, and stays.
    if (isThere && !(await isOwnCustomTool(this.#engine, this.#folder.root, path))) return
    const file = await renderCustomTool(this.#engine, name)
    if (file !== undefined) this.#folder.write(file)
    else if (isThere && (await this.#wasWrittenHere(name, path))) this.#folder.remove(path)
  }

  /** Whether a custom tool file is, to the letter, the one of a version that was in use. */
  async #wasWrittenHere(name: string, path: string): Promise<boolean> {
    const text = this.#folder.read(path)
    for (const record of this.#engine.state.tools.get(name)?.versions.values() ?? []) {
      if (record.activation === undefined) continue
      // oxlint-disable-next-line no-await-in-loop -- mostly the first one matches
      if ((await renderCustomToolOf(this.#engine, record))?.text === text) return true
    }
    return false
  }

  #saveMark(): void {
    // A mark says that all files before it are right, which nobody knows before they were compared.
    if (!this.#isChecked) return
    const text = `${this.#engine.state.sequence} ${markEdition}\n`
    if (text === this.#savedMark) return
    this.#folder.write({ path: markFile, text })
    this.#savedMark = text
  }

  async #attempt(write: () => void | Promise<void>, what: string): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.#engine.logger.warn({ error, what }, 'A readable file could not be written')
    }
  }
}

/** What is compared in one pass over all versions. */
interface CheckPlan {
  /** Of the files that seem unchanged, the share that is compared all the same. */
  readonly sampleShare: number
  /** Kinds of which all files are compared. */
  readonly doubted: Set<string>
  readonly onlyDoubted: boolean
}

interface UnchangedOptions {
  readonly plan: CheckPlan
  /** The names in the folder of custom tools. */
  readonly customTools: ReadonlySet<string>
  readonly looks: FolderLooks
}

function customToolPath(name: string): string {
  return `custom-tools/${name}.json`
}

function countVersions({ tools }: LifecycleState): number {
  let count = 0
  for (const { versions } of tools.values()) count += versions.size
  return count
}

function* recordsOf({ tools }: LifecycleState): Generator<VersionRecord> {
  for (const { versions } of tools.values()) yield* versions.values()
}

/**
 * Seals the list of compared files: a secret that only the host's key gives, for this form of the files and these kinds. Where the
 * host's key signs otherwise each time, no list is ever believed, and all files are compared.
 */
async function sealingKey({ kinds, namespace, trust }: LifecycleEngine): Promise<Buffer> {
  const form = [
    fileEdition,
    ...[...kinds.values()].map(({ fingerprint, kind }) => [kind, fingerprint]),
  ]
  const text = `toolcrib/readable-files/v1\n${JSON.stringify([namespace, form])}`
  return hash('sha256', await trust.hostSigner().sign(Buffer.from(text)), 'buffer')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
