import { hash } from 'node:crypto'
import type { ProjectionFile } from './projection-files.ts'
import type { ReadableFolder } from './readable-folder.ts'

const path = '.projected-hashes'

/** More lines than this many for each file are not worth keeping. */
const maxLinesOfFile = 8

/**
 * Remembers what was written into each readable file, by its hash, so that a file that an earlier release of the program wrote in
 * other words is told apart from one that somebody changed. A list beside the files: a line for each time that one is written.
 */
export class WrittenFiles {
  readonly #folder: ReadableFolder
  /** Known while files are compared only; thousands of tools have many. */
  #hashes: Map<string, string> | undefined
  #lines = 0

  constructor(folder: ReadableFolder) {
    this.#folder = folder
  }

  /** Reads the list, for files to be compared with it, unless it is known. */
  open(): void {
    if (this.#hashes !== undefined) return
    const hashes = new Map<string, string>()
    this.#lines = 0
    for (const line of this.#folder.readLines(path)) {
      this.#lines += 1
      const [, digest, file] = /^([0-9a-f]{64}) (.+)$/.exec(line) ?? []
      if (digest !== undefined && file !== undefined) hashes.set(file, digest)
    }
    this.#hashes = hashes
  }

  /** Whether a file is on the list. */
  has(file: ProjectionFile): boolean {
    return this.#hashes?.has(file.path) === true
  }

  /** Whether a file was written with this text, the last time that it was written. */
  wrote(file: ProjectionFile): boolean {
    return this.#hashes?.get(file.path) === hashText(file.text)
  }

  /** Adds files that are about to be written, or are as they should be. */
  add(files: readonly ProjectionFile[]): void {
    const entries = files
      .map((file) => [file.path, hashText(file.text)] as const)
      .filter(([file, digest]) => this.#hashes?.get(file) !== digest)
    if (entries.length === 0) return
    for (const [file, digest] of entries) this.#hashes?.set(file, digest)
    this.#lines += entries.length
    this.#folder.append(path, print(entries))
  }

  /** Files were compared: writes the list anew where it has grown, and forgets it until it is opened again. */
  close(): void {
    const hashes = this.#hashes
    this.#hashes = undefined
    if (hashes === undefined || this.#lines <= maxLinesOfFile * (hashes.size + 100)) return
    this.#folder.write({ path, text: print([...hashes]) })
  }
}

function print(entries: readonly (readonly [file: string, digest: string])[]): string {
  return entries.map(([file, digest]) => `${digest} ${file}\n`).join('')
}

/** SHA-256 of a text, 64 hexadecimal digits. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex')
}
