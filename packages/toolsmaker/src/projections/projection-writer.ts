import type { Stats } from 'node:fs'
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import {
  type ProjectionFile,
  renderActiveVersions,
  renderCustomTool,
  renderCustomToolOf,
  renderVersionFiles,
} from './projection-files.ts'
import type { ProjectionReport } from '../toolsmaker.ts'
import { isOwnCustomTool } from './unrecorded-custom-tools.ts'
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

/**
 * Keeps the readable files beside the log as the log says. Nothing is ever run from them, so a file that cannot be
 * written is logged, and restored at the next check.
 */
export class ProjectionWriter {
  readonly #engine: LifecycleEngine
  readonly #directory: string
  #checking: Promise<ProjectionReport> | undefined
  /** Up to which event the files were written when the store was opened; what came later may be old or missing. */
  #mark = 0
  /** The end of the log when the store was opened; the files of later events are written as they happen. */
  #openedAt = 0
  /** Every file was compared once, so from now on what differs was changed by somebody. */
  #isChecked = false
  readonly #list: WrittenFiles
  /** Whether all files were written by releases that keep the list. Others may have used other words. */
  #isListed = false

  constructor(engine: LifecycleEngine, directory: string) {
    this.#engine = engine
    this.#directory = directory
    this.#list = new WrittenFiles(join(directory, listFile))
  }

  /** Reads how far the files were written, before anything is written anew. */
  async open(): Promise<void> {
    const text = await this.#read(markFile).catch(() => undefined)
    const [mark, edition] = (text ?? '0').split(' ').map(Number)
    this.#openedAt = this.#engine.state.sequence
    this.#mark = Number.isSafeInteger(mark) ? Number(mark) : 0
    this.#isListed = edition === markEdition
  }

  /** Writes the files of versions that changed. */
  async follow(changed: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    for (const [name, versions] of changed) {
      for (const version of versions) {
        const record = this.#engine.state.get(name, version)
        if (record === undefined) continue
        // oxlint-disable-next-line no-await-in-loop -- a command touches one or two versions
        await this.#attempt(async () => {
          const files = await renderVersionFiles(this.#engine, record)
          await this.#list.add(files)
          for (const file of files) await this.#write(file)
        }, name)
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#attempt(() => this.#followCustomTool(name), name)
    }
    if (changed.size > 0)
      await this.#attempt(() => this.#write(renderActiveVersions(this.#engine)), 'active_versions')
    await this.#attempt(() => this.#saveMark(), markFile)
  }

  /** Compares every file with the log and restores what is missing or different. One check runs at a time. */
  check(): Promise<ProjectionReport> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<ProjectionReport> {
    const report: Findings = { written: [], restored: [], failed: [] }
    await this.#engine.queue.run(() => this.#attempt(() => this.#list.open(), listFile))
    // This one first, for it is written anew with every event; what is found is put on record last.
    const found = await this.#engine.queue.run(() => this.#checkActiveVersions(report))
    for (const name of this.#engine.state.tools.keys())
      for (const version of this.#engine.state.tools.get(name)?.versions.keys() ?? [])
        // oxlint-disable-next-line no-await-in-loop -- one after the other leaves the disk to those who wait for it
        await this.#engine.queue.run(() => this.#checkVersion(name, version, report))
    await this.#engine.queue.run(async () => {
      this.#isChecked = true
      this.#isListed = true
      await this.#attempt(() => this.#list.close(), listFile)
      await this.#engine.record(found)
      await this.#attempt(() => this.#saveMark(), markFile)
    })
    return report
  }

  async #checkVersion(name: string, version: number, report: Findings): Promise<void> {
    const tool = this.#engine.state.tools.get(name)
    const record = tool?.versions.get(version)
    if (record === undefined) return
    try {
      const isOld = this.#mayBeOld(tool?.sequences ?? [])
      const events: LifecycleEvent[] = []
      const fresh: ProjectionFile[] = []
      for (const file of await renderVersionFiles(this.#engine, record)) {
        // oxlint-disable-next-line no-await-in-loop -- three small files
        const before = await this.#restore(file, report)
        if (before !== undefined || !this.#isListed || !this.#list.has(file)) fresh.push(file)
        if (before === undefined || isOld) continue
        if (this.#isListed && !this.#list.wrote({ path: file.path, text: before }))
          events.push(this.#tampered(file.path, name, version))
        else
          this.#engine.logger.info({ file: file.path }, 'A readable file is written in new words')
      }
      await this.#list.add(fresh)
      if (tool?.active === version) await this.#restoreCustomTool(name, report)
      await this.#engine.record(events)
    } catch (error) {
      report.failed.push({ file: `${name}_v${version}`, reason: reasonOf(error) })
    }
  }

  async #restoreCustomTool(name: string, report: Findings): Promise<void> {
    const file = await renderCustomTool(this.#engine, name)
    // One that differs is somebody's proposal, and stays.
    if (file === undefined || (await this.#stats(file.path)) !== undefined) return
    await this.#write(file)
    report.written.push(file.path)
  }

  async #checkActiveVersions(report: Findings): Promise<readonly LifecycleEvent[]> {
    const file = renderActiveVersions(this.#engine)
    try {
      const before = await this.#read(file.path)
      const isOld = this.#mayBeOld([this.#openedAt])
      if ((await this.#restore(file, report)) === undefined || isOld) return []
      return changedNames(before, file.text, this.#engine).map(([name, version]) =>
        this.#tampered(file.path, name, version),
      )
    } catch (error) {
      report.failed.push({ file: file.path, reason: reasonOf(error) })
      return []
    }
  }

  /** Whether a file may be old because the process ended between the record and the file. */
  #mayBeOld(sequences: readonly number[]): boolean {
    if (this.#isChecked) return false
    return sequences.some((sequence) => sequence > this.#mark && sequence <= this.#openedAt)
  }

  /** Writes a file that is missing or different; gives what a different one held. */
  async #restore(file: ProjectionFile, report: Findings): Promise<string | undefined> {
    const there = await this.#read(file.path)
    if (there === file.text) return undefined
    await this.#write(file)
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
    const path = `custom-tools/${name}.json`
    const isThere = (await this.#stats(path)) !== undefined
    // A file that no version on record matches is somebody's proposal, and stays.
    if (isThere && !(await isOwnCustomTool(this.#engine, this.#directory, path))) return
    const file = await renderCustomTool(this.#engine, name)
    if (file !== undefined) await this.#write(file)
    else if (isThere && (await this.#wasWrittenHere(name, path)))
      await rm(join(this.#directory, path))
  }

  /** Whether a custom tool file is, to the letter, the one of a version that was in use. */
  async #wasWrittenHere(name: string, path: string): Promise<boolean> {
    const text = await this.#read(path)
    for (const record of this.#engine.state.tools.get(name)?.versions.values() ?? []) {
      if (record.activation === undefined) continue
      // oxlint-disable-next-line no-await-in-loop -- mostly the first one matches
      if ((await renderCustomToolOf(this.#engine, record))?.text === text) return true
    }
    return false
  }

  async #stats(path: string): Promise<Stats | undefined> {
    try {
      return await lstat(join(this.#directory, path))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async #saveMark(): Promise<void> {
    // A mark says that all files before it are right, which nobody knows before they were compared.
    if (!this.#isChecked) return
    await this.#write({ path: markFile, text: `${this.#engine.state.sequence} ${markEdition}\n` })
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#directory, path), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async #write({ path, text }: ProjectionFile): Promise<void> {
    const target = join(this.#directory, path)
    const temporary = `${target}.new`
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, target)
  }

  async #attempt(write: () => Promise<void>, what: string): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.#engine.logger.warn({ error, what }, 'A readable file could not be written')
    }
  }
}

function changedNames(
  before: string | undefined,
  after: string,
  { state }: LifecycleEngine,
): readonly (readonly [string, number])[] {
  let was: Record<string, unknown> = {}
  try {
    was = JSON.parse(before ?? '{}') as Record<string, unknown>
  } catch {
    // Whatever stood there, it named nothing.
  }
  const is = JSON.parse(after) as Record<string, number>
  return [...state.tools.values()]
    .filter(({ name }) => was?.[name] !== is[name])
    .slice(0, 10)
    .map(({ name, versions }) => [name, is[name] ?? Math.max(...versions.keys())] as const)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
