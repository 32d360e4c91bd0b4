import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { OwnFile } from '../files/own-file.ts'
import type { ReadableFolder } from './readable-folder.ts'

const path = 'active_versions.json'
const end = '\n}\n'
/** More than an entry has: names have at most 64 characters. */
const maxEntryBytes = 256
const entryPattern = /^ {2}"([^"\\]+)": (\d+)(,?)$/

/** Where the number of an entry stands, and what it is. */
interface Entry {
  readonly at: number
  readonly version: number
}

/**
 * The readable map of active versions, `active_versions.json`. One entry a line, so that a change of one tool writes one line in
 * place and not the whole file: a new entry at the end, a new number over the old one, spaces over an entry that goes.
 */
export class ActiveVersionsFile {
  readonly #engine: LifecycleEngine
  readonly #folder: ReadableFolder
  #entries: Map<string, Entry> | undefined
  #file: OwnFile | undefined
  #size = 0
  #changedAt = 0

  constructor(engine: LifecycleEngine, folder: ReadableFolder) {
    this.#engine = engine
    this.#folder = folder
  }

  /** What the file should hold, and does not: the names that differ, at most 10; `undefined` when nothing differs. */
  restore():
    | { readonly isNew: boolean; readonly names: readonly (readonly [string, number])[] }
    | undefined {
    const maxBytes = 1_048_576 + this.#engine.state.tools.size * maxEntryBytes
    const text = this.#folder.read(path, { maxBytes })
    const entries = text === undefined ? undefined : readEntries(text)
    if (entries !== undefined && this.#isRight(entries)) {
      this.#hold(entries)
      return undefined
    }
    this.#writeAll()
    const names = text === undefined ? [] : this.#changedNames(text)
    return { isNew: text === undefined, names }
  }

  /** Writes what changed of one tool. */
  follow(name: string): void {
    const version = this.#engine.state.tools.get(name)?.active
    const entry = this.#entries?.get(name)
    if (this.#entries !== undefined && entry?.version === version && this.#isOurs()) return
    if (this.#entries === undefined || !this.#isOurs() || !this.#writeOne(name, { entry, version }))
      this.#writeAll()
  }

  close(): void {
    this.#file?.closeNow()
    this.#file = undefined
    this.#entries = undefined
  }

  #active(): Map<string, number> {
    const active = new Map<string, number>()
    for (const tool of this.#engine.state.tools.values())
      if (tool.active !== undefined) active.set(tool.name, tool.active)
    return active
  }

  #isRight(entries: ReadonlyMap<string, Entry>): boolean {
    const active = this.#active()
    if (active.size !== entries.size) return false
    for (const [name, version] of active) if (entries.get(name)?.version !== version) return false
    return true
  }

  #writeAll(): void {
    this.close()
    const active = [...this.#active()].toSorted(([left], [right]) => (left < right ? -1 : 1))
    const text = `${JSON.stringify(Object.fromEntries(active), undefined, 2)}\n`
    this.#folder.write({ path, text })
    const entries = readEntries(text)
    if (entries !== undefined) this.#hold(entries)
  }

  /** Keeps the file open, and where each entry stands in it. */
  #hold(entries: Map<string, Entry>): void {
    this.close()
    this.#file = this.#folder.root.file(path, 'write')
    if (this.#file === undefined) return
    this.#entries = entries
    this.#remember(this.#file)
  }

  #remember(file: OwnFile): void {
    const { ctimeMs, size } = file.statNow()
    this.#size = size
    this.#changedAt = ctimeMs
  }

  /** Whether the file that is held is the one that has the name, and nobody has written to it since. */
  #isOurs(): boolean {
    if (this.#file === undefined) return false
    const { ctimeMs, ino, nlink, size } = this.#file.statNow()
    const isSame = size === this.#size && ctimeMs === this.#changedAt && nlink === 1
    return isSame && this.#folder.stats(path)?.ino === ino
  }

  /** Writes one entry in place; tells whether that was possible. */
  #writeOne(
    name: string,
    { entry, version }: { readonly entry: Entry | undefined; readonly version: number | undefined },
  ): boolean {
    const [entries, file] = [this.#entries, this.#file]
    if (entries === undefined || file === undefined || entries.size === 0) return false
    if (entry === undefined) {
      if (version === undefined) return true
      const line = `,\n  ${JSON.stringify(name)}: `
      const position = this.#size - end.length
      file.writeNow(Buffer.from(`${line}${version}${end}`), position)
      entries.set(name, { at: position + Buffer.byteLength(line), version })
    } else if (version === undefined) {
      const last = entry.at + String(entry.version).length
      // The last entry has no comma of its own, so the one before it would keep its.
      if (last >= this.#size - end.length) return false
      const start = entry.at - `  ${JSON.stringify(name)}: `.length
      file.writeNow(Buffer.alloc(last + 1 - start, ' '), start)
      entries.delete(name)
    } else {
      if (String(version).length !== String(entry.version).length) return false
      file.writeNow(Buffer.from(String(version)), entry.at)
      entries.set(name, { at: entry.at, version })
    }
    this.#remember(file)
    return true
  }

  #changedNames(text: string): readonly (readonly [string, number])[] {
    let was: Record<string, unknown> | null = {}
    try {
      was = JSON.parse(text) as Record<string, unknown> | null
    } catch {
      // Whatever stood there, it named nothing.
    }
    return [...this.#engine.state.tools.values()]
      .filter(({ active, name }) => was?.[name] !== active)
      .slice(0, 10)
      .map(({ active, name, versions }) => [name, active ?? Math.max(...versions.keys())] as const)
  }
}

/** Where each entry of a file of this form stands; `undefined` when it is of another form. */
function readEntries(text: string): Map<string, Entry> | undefined {
  const entries = new Map<string, Entry>()
  if (text === '{}\n') return entries
  if (!text.startsWith('{\n') || !text.endsWith(end)) return undefined
  const lines = text.slice(2, -end.length).split('\n')
  let at = 2
  let needsMore = true
  for (const line of lines) {
    const [, name, version, comma] = entryPattern.exec(line) ?? []
    if (name === undefined || version === undefined) {
      // An entry that went left spaces.
      if (line.trim() !== '') return undefined
    } else {
      if (!needsMore || entries.has(name)) return undefined
      entries.set(name, { at: at + line.indexOf(': ') + 2, version: Number(version) })
      needsMore = comma === ','
    }
    at += line.length + 1
  }
  return needsMore ? undefined : entries
}
