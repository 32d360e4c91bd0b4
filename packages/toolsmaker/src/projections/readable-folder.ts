import { type Stats, mkdirSync } from 'node:fs'
import { ToolError } from '@toolcrib/registry'
import { OwnFolder } from '../files/own-folder.ts'
import type { ProjectionFile } from './projection-files.ts'

/** What stands for the text of a file that is a link, or not the host's own: it equals no text that is ever written. */
const foreign = '\u0000'

/** What a list that was not tidied yet has at most. */
const listBaseBytes = 4 * 1_024 * 1_024
const listBytesOfVersion = 8 * 1_024
const mostListBytes = 256 * 1_024 * 1_024

/** More than any file about one version has: a row of the log has at most 4 MiB. */
const maxFileBytes = 16 * 1_024 * 1_024

/**
 * The folder of a store with its readable files, held open. No link in it is followed: a file that is one is exchanged for a
 * plain file, and a folder that is one is refused.
 */
export class ReadableFolder {
  readonly #root: OwnFolder
  readonly #versionCount: () => number

  constructor(directory: string, { versionCount }: { readonly versionCount: () => number }) {
    this.#versionCount = versionCount
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#root = OwnFolder.open(directory, 'store')
  }

  get root(): OwnFolder {
    return this.#root
  }

  /** The text of a file; `undefined` where there is none. One that is larger than the host writes is not the host's. */
  read(
    path: string,
    { maxBytes = maxFileBytes }: { readonly maxBytes?: number } = {},
  ): string | undefined {
    return this.#root.within(path, (folder, name) => {
      try {
        if ((folder.stats(name)?.size ?? 0) > maxBytes) return foreign
        return folder.readText(name, { maxBytes })
      } catch (error) {
        if (ToolError.is(error, 'STORE_INVALID')) return foreign
        throw error
      }
    })
  }

  /**
   * The whole lines of a list that the host keeps. Of one that is larger than the host would have written there are none, and it is
   * begun anew: what it said is found out again.
   *
   * @yields one line, without its end
   */
  *readLines(path: string): Generator<string> {
    const maxBytes = listBaseBytes + this.#versionCount() * listBytesOfVersion
    const text = this.read(path, { maxBytes: Math.min(maxBytes, mostListBytes) }) ?? ''
    if (text === foreign) this.write({ path, text: '' })
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield text.slice(start, end)
      start = end + 1
    }
  }

  write({ path, text }: ProjectionFile): void {
    this.#root.within(path, (folder, name) => folder.replace(name, text), { make: true })
  }

  /** Adds text to a file. One that is not the host's own is exchanged for a new one with this text. */
  append(path: string, text: string): void {
    try {
      this.#root.append(path, text)
    } catch (error) {
      if (!ToolError.is(error, 'STORE_INVALID')) throw error
      this.#root.replace(path, text)
    }
  }

  remove(path: string): void {
    this.#root.within(path, (folder, name) => folder.remove(name))
  }

  /** What has a path, links not followed; `undefined` where there is nothing. */
  stats(path: string): Stats | undefined {
    return this.#root.within(path, (folder, name) => folder.stats(name))
  }

  /** Every name in a folder; none where it cannot be opened: what is wrong with it is said when a file in it is read. */
  names(folder: string): readonly string[] {
    try {
      using inner = this.#root.folder(folder)
      return inner?.names() ?? []
    } catch {
      return []
    }
  }

  /** Looks at many files: the folders stay open meanwhile. */
  looks(): FolderLooks {
    return new FolderLooks(this.#root)
  }

  close(): void {
    this.#root.close()
  }
}

/** Looks at files in folders that stay open for so long. */
export class FolderLooks implements Disposable {
  readonly #root: OwnFolder
  readonly #folders = new Map<string, OwnFolder | undefined>()

  constructor(root: OwnFolder) {
    this.#root = root
  }

  /** What has a path, links not followed; `undefined` where there is nothing, or its folder cannot be opened. */
  stats(path: string): Stats | undefined {
    const [folder = '', name = ''] = path.split('/')
    return this.#open(folder)?.statsByPath(name)
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders.values()) folder?.close()
  }

  #open(name: string): OwnFolder | undefined {
    if (this.#folders.has(name)) return this.#folders.get(name)
    let folder: OwnFolder | undefined
    try {
      folder = this.#root.folder(name)
    } catch {
      // What is wrong with it is said when the file is read.
    }
    this.#folders.set(name, folder)
    return folder
  }
}
