import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReadableFolder } from './readable-folder.ts'

/** A readable file as it was when it was compared: it cannot change without getting another time of change. */
export interface FileState {
  readonly path: string
  readonly ino: number
  readonly ctimeMs: number
}

/** A version whose readable files were compared with the log and found right. */
export interface CheckedVersion {
  readonly name: string
  readonly version: number
  /** The event of the tool up to which they say what the log says. */
  readonly sequence: number
  readonly files: readonly FileState[]
}

const listPath = '.projected-checked'
/** More lines than this many for each version are not worth keeping. */
const maxLinesOfVersion = 4

/**
 * Remembers which readable files were compared with the log, and when each was last changed then, so that a start compares only
 * those that were changed since. The list lies in the store, where others may write, so every block of it bears the host's seal:
 * what is not sealed by this host, for this form of the files, was never compared.
 */
export class CheckedFiles {
  readonly #folder: ReadableFolder
  readonly #key: Buffer
  #lines = 0

  constructor(folder: ReadableFolder, key: Buffer) {
    this.#folder = folder
    this.#key = key
  }

  /** Reads the list: the last line of each version, by name and version. */
  read(): Map<string, string> {
    const lines = new Map<string, string>()
    let block: string[] = []
    this.#lines = 0
    for (const line of this.#folder.readLines(listPath)) {
      if (!line.startsWith('#')) {
        block.push(line)
        continue
      }
      if (isSame(line.slice(1), this.#seal(block)))
        for (const sealed of block) lines.set(keyOf(sealed), sealed)
      this.#lines += block.length
      block = []
    }
    return lines
  }

  /** Adds versions that were compared just now. */
  add(versions: readonly CheckedVersion[]): void {
    if (versions.length === 0) return
    const lines = versions.map(printVersion)
    this.#lines += lines.length
    this.#folder.append(listPath, this.#print(lines))
  }

  /** Writes the list anew where it has grown. */
  tidy(versionCount: number): void {
    if (this.#lines <= maxLinesOfVersion * (versionCount + 1_000)) return
    const lines = [...this.read().values()]
    this.#folder.write({ path: listPath, text: this.#print(lines) })
    this.#lines = lines.length
  }

  #print(lines: readonly string[]): string {
    return `${lines.join('\n')}\n#${this.#seal(lines)}\n`
  }

  #seal(lines: readonly string[]): string {
    return createHmac('sha256', this.#key).update(lines.join('\n')).digest('base64url')
  }
}

/** How a version is named in the list. */
export function checkedKey(name: string, version: number): string {
  return `${name} ${version}`
}

function keyOf(line: string): string {
  return line.slice(0, line.indexOf(' ', line.indexOf(' ') + 1))
}

function printVersion({ files, name, sequence, version }: CheckedVersion): string {
  const states = files.map((file) => `${shorten(file.path)}:${file.ino}:${file.ctimeMs}`)
  return [checkedKey(name, version), sequence, ...states].join(' ')
}

/** Reads a line of the list. */
export function parseChecked(line: string): CheckedVersion {
  const [name = '', version, sequence, ...states] = line.split(' ')
  const files = states.map((state): FileState => {
    const [label = '', ino, ctimeMs] = state.split(':')
    const path = lengthen(label, `${name}_v${version}`, name)
    return { path, ino: Number(ino), ctimeMs: Number(ctimeMs) }
  })
  return { name, version: Number(version), sequence: Number(sequence), files }
}

/** The folder's first letter and the extension: the rest of a path is in the name and version of its line. */
function shorten(file: string): string {
  return file.charAt(0) + file.slice(file.lastIndexOf('.'))
}

function lengthen(label: string, base: string, name: string): string {
  const extension = label.slice(1)
  if (label.startsWith('s')) return `specs/${base}${extension}`
  if (label.startsWith('g')) return `generated/${base}${extension}`
  return label.startsWith('r') ? `reviews/${base}${extension}` : `custom-tools/${name}${extension}`
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
