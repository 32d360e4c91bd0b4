import type { Stats } from 'node:fs'
import {
  type CheckedFiles,
  type CheckedVersion,
  type FileState,
  checkedKey,
  parseChecked,
} from './checked-files.ts'
import type { ProjectionFile } from './projection-files.ts'
import type { ReadableFolder } from './readable-folder.ts'
import { hashText } from './written-files.ts'

/** Files of a version that were written, or found right, just now. */
export interface ExpectedFiles {
  readonly name: string
  readonly version: number
  readonly sequence: number
  readonly files: readonly ProjectionFile[]
}

interface Expected extends Omit<ExpectedFiles, 'files'> {
  readonly files: readonly { readonly path: string; readonly digest: string }[]
}

/** Within this time two changes of a file can bear the same time, in milliseconds. */
const tickMs = 50
/** The same for file systems that count whole seconds. */
const coarseTickMs = 2_100

/**
 * Tells which readable files nobody has changed since they were compared, by their time of change: no program can set that, only
 * the system. A file enters the list once its last change lies so far back that a later one is sure to bear another time.
 */
export class ComparedFiles {
  readonly #folder: ReadableFolder
  readonly #list: CheckedFiles
  /** Known while files are checked only. */
  #lines: Map<string, string> | undefined
  #users = 0
  readonly #expected = new Map<string, Expected>()

  constructor(folder: ReadableFolder, list: CheckedFiles) {
    this.#folder = folder
    this.#list = list
  }

  /** Reads the list, unless it is known. It is kept until it was closed as often as it was opened. */
  open(): void {
    this.#lines ??= this.#list.read()
    this.#users += 1
  }

  close(): void {
    this.#users -= 1
    if (this.#users === 0) this.#lines = undefined
  }

  /** Writes the list anew where it has grown. */
  tidy(versionCount: number): void {
    this.#list.tidy(versionCount)
  }

  /** What the list says about a version, if that is about its present state. */
  find(name: string, version: number, sequence: number): CheckedVersion | undefined {
    const line = this.#lines?.get(checkedKey(name, version))
    if (line === undefined) return undefined
    const checked = parseChecked(line)
    return checked.sequence === sequence ? checked : undefined
  }

  /** Takes a version off the list: its files were written anew. */
  forget(name: string, version: number): void {
    this.#list.add([{ name, version, sequence: 0, files: [] }])
    this.#lines?.delete(checkedKey(name, version))
  }

  /** Notes files that hold what they should, to be put on the list as soon as that can be told by their times. */
  expect({ files, name, sequence, version }: ExpectedFiles): void {
    const key = checkedKey(name, version)
    // Last in the order of the map.
    this.#expected.delete(key)
    const digests = files.map(({ path, text }) => ({ path, digest: hashText(text) }))
    this.#expected.set(key, { name, version, sequence, files: digests })
  }

  /** Puts on the list what was noted and has been quiet long enough, if it still holds what was written. */
  settle(): void {
    const settled: CheckedVersion[] = []
    for (const [key, { files, name, sequence, version }] of this.#expected) {
      const stats = files.map(({ path }) => this.#folder.stats(path))
      if (stats.some((each) => each !== undefined && !isQuiet(each))) break
      this.#expected.delete(key)
      const states = files.map((file, index) => this.#compare(file, stats[index]))
      if (states.every((state) => state !== undefined))
        settled.push({ name, version, sequence, files: states })
    }
    this.#list.add(settled)
    for (const { name, version } of settled) this.#lines?.delete(checkedKey(name, version))
  }

  #compare(
    { digest, path }: { readonly path: string; readonly digest: string },
    stats: Stats | undefined,
  ): FileState | undefined {
    const text = this.#folder.read(path)
    if (stats === undefined || text === undefined || hashText(text) !== digest) return undefined
    const state = { path, ino: stats.ino, ctimeMs: stats.ctimeMs }
    return isSameState(state, this.#folder.stats(path)) ? state : undefined
  }
}

/** Whether a file is, by its time of change, the one that was compared. */
export function isSameState(
  { ctimeMs, ino }: Omit<FileState, 'path'>,
  stats: Stats | undefined,
): boolean {
  return stats !== undefined && stats.ctimeMs === ctimeMs && stats.ino === ino && stats.isFile()
}

function isQuiet({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs >= (ctimeMs % 1_000 === 0 ? coarseTickMs : tickMs)
}
