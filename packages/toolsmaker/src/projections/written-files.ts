import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ProjectionFile } from './projection-files.ts'

/** More lines than this many for each file are not worth keeping. */
const maxLinesOfFile = 8

/**
 * Remembers what was written into each readable file, by its hash, so that a file that an earlier release of the program wrote in
 * other words is told apart from one that somebody changed. A list beside the files: a line for each time that one is written.
 */
export class WrittenFiles {
  readonly #path: string
  /** Known while files are compared only; thousands of tools have many. */
  #hashes: Map<string, string> | undefined
  #lines = 0

  constructor(path: string) {
    this.#path = path
  }

  /** Reads the list, for files to be compared with it. */
  async open(): Promise<void> {
    const hashes = new Map<string, string>()
    const lines = (await this.#read())?.split('\n') ?? []
    for (const line of lines) {
      const [, hash, path] = /^([0-9a-f]{64}) (.+)$/.exec(line) ?? []
      if (hash !== undefined && path !== undefined) hashes.set(path, hash)
    }
    this.#hashes = hashes
    this.#lines = lines.length
  }

  /** Whether a file is on the list. */
  has({ path }: ProjectionFile): boolean {
    return this.#hashes?.has(path) === true
  }

  /** Whether a file was written with this text, the last time that it was written. */
  wrote({ path, text }: ProjectionFile): boolean {
    return this.#hashes?.get(path) === hashOf(text)
  }

  /** Adds files that are about to be written, or are as they should be. */
  async add(files: readonly ProjectionFile[]): Promise<void> {
    const entries = files
      .map(({ path, text }) => [path, hashOf(text)] as const)
      .filter(([path, hash]) => this.#hashes?.get(path) !== hash)
    if (entries.length === 0) return
    for (const [path, hash] of entries) this.#hashes?.set(path, hash)
    this.#lines += entries.length
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    await appendFile(this.#path, print(entries), { mode: 0o600 })
  }

  /** Files were compared: writes the list anew where it has grown, and forgets it until it is opened again. */
  async close(): Promise<void> {
    const hashes = this.#hashes
    this.#hashes = undefined
    if (hashes === undefined || this.#lines <= maxLinesOfFile * (hashes.size + 100)) return
    await writeFile(`${this.#path}.new`, print([...hashes]), { mode: 0o600 })
    await rename(`${this.#path}.new`, this.#path)
  }

  async #read(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
}

function print(entries: readonly (readonly [path: string, hash: string])[]): string {
  return entries.map(([path, hash]) => `${hash} ${path}\n`).join('')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
