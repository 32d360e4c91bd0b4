import { randomBytes } from 'node:crypto'
import {
  type Stats,
  chmodSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type FileAccess, type HeldEntry, openFileAccess } from '@toolcrib/policy/files'
import { toolsmakerError } from '../error-catalogue.ts'
import { OwnFile, syncFolderAt } from './own-file.ts'
import { type FolderUse, assertNoLink, assertOwnFile, assertOwnFolder } from './own-file-rule.ts'

/** A file that was written under a name of its own, to be given its real one. */
interface WrittenFile {
  readonly file: OwnFile
  readonly temporary: string
}

/** How much of a file is read at most, in bytes. */
const defaultMaxBytes = 256 * 1_024 * 1_024

/**
 * A folder of the store or the trust, held open. Names are opened in this very folder, whatever its path leads to by now; no
 * link is followed, and only plain files of this user with one name are read or written. Close it after use.
 */
export class OwnFolder implements Disposable {
  readonly path: string
  readonly #use: FolderUse
  readonly #access: FileAccess
  readonly #held: HeldEntry
  /** What it was opened from and nobody else closes. */
  readonly #above: OwnFolder[] = []
  #realPath: string | undefined
  #isOpen = true

  private constructor(parts: {
    readonly path: string
    readonly use: FolderUse
    readonly access: FileAccess
    readonly held: HeldEntry
  }) {
    this.path = parts.path
    this.#use = parts.use
    this.#access = parts.access
    this.#held = parts.held
  }

  /**
   * Opens a folder. The links above it are the operator's, and are followed once; but `namespaces/NAME` at the end of a store's path lies
   * in the store of another namespace, where whoever writes that one could put links.
   */
  static open(path: string, use: FolderUse): OwnFolder {
    const inner = use === 'store' ? innerStore(path) : undefined
    if (inner !== undefined) return OwnFolder.#openInner(inner)
    const access = openFileAccess()
    const held = access.openRoot(realpathSync.native(path))
    const folder = new OwnFolder({ path, use, access, held })
    if (held.stats.isDirectory()) return folder
    folder.close()
    throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' })
  }

  /** Makes the folder of a namespace that lies in another store, and the folder that it is in; elsewhere the lock makes them. */
  static prepareStore(path: string): void {
    const inner = innerStore(path)
    if (inner === undefined) return
    mkdirSync(inner.store, { recursive: true, mode: 0o700 })
    OwnFolder.#openInner(inner, { make: true }).close()
  }

  static #openInner(
    { name, store }: InnerStore,
    { make = false }: { readonly make?: boolean } = {},
  ): OwnFolder {
    const outer = OwnFolder.open(store, 'store')
    let middle: OwnFolder | undefined
    try {
      middle = outer.#enter(namespacesFolder, { make })
      const folder = middle?.folder(name, { make })
      if (middle === undefined || folder === undefined)
        throw Object.assign(new Error(`ENOENT: ${store} has no such namespace`), { code: 'ENOENT' })
      // Where a folder lies now is seen from those above it, so they stay open as long.
      folder.#above.push(middle, outer)
      return folder
    } catch (error) {
      middle?.close()
      outer.close()
      throw error
    }
  }

  /** Opens a folder that may be anybody's, but is no link. */
  #enter(name: string, { make }: { readonly make: boolean }): OwnFolder | undefined {
    const held = this.#look(name) ?? (make ? this.#makeFolder(name) : undefined)
    if (held === undefined) return undefined
    const parts = { use: this.#use, path: join(this.path, name), access: this.#access }
    const folder = new OwnFolder({ ...parts, held })
    try {
      assertNoLink(parts, held.stats)
      return folder
    } catch (error) {
      folder.close()
      throw error
    }
  }

  /** Opens a folder in this one; `undefined` where there is none. `make` makes it, for its owner only. */
  folder(name: string, { make = false }: { readonly make?: boolean } = {}): OwnFolder | undefined {
    const held = this.#look(name) ?? (make ? this.#makeFolder(name) : undefined)
    if (held === undefined) return undefined
    const path = join(this.path, name)
    try {
      assertOwnFolder({ use: this.#use, path }, held.stats)
    } catch (error) {
      this.#access.release(held)
      throw error
    }
    return new OwnFolder({ path, use: this.#use, access: this.#access, held })
  }

  /**
   * Calls `use` with the folder that holds a path below this one, and with the last step of the path. `undefined` where a folder on
   * the way is missing; `make` makes it.
   */
  within<Result>(
    path: string,
    use: (folder: OwnFolder, name: string) => Result,
    options: { readonly make?: boolean } = {},
  ): Result | undefined {
    const [step = '', ...rest] = path.split('/')
    if (rest.length === 0) return use(this, step)
    const inner = this.folder(step, options)
    if (inner === undefined) return undefined
    let result: Result | undefined
    try {
      result = inner.within(rest.join('/'), use, options)
    } catch (error) {
      inner.close()
      throw error
    }
    if (result instanceof Promise) return result.finally(() => inner.close()) as Result
    inner.close()
    return result
  }

  /** Opens a file for reading, or for reading and writing; `undefined` where there is none. */
  file(name: string, mode: 'read' | 'write' = 'read'): OwnFile | undefined {
    const held = this.#look(name)
    if (held === undefined) return undefined
    const entry = { use: this.#use, path: join(this.path, name) }
    try {
      assertOwnFile(entry, held.stats)
      const flags = mode === 'read' ? constants.O_RDONLY : constants.O_RDWR
      const { descriptor, stats } = this.#access.open(held, flags)
      const file = new OwnFile(descriptor)
      try {
        assertOwnFile(entry, stats)
        return file
      } catch (error) {
        file.closeNow()
        throw error
      }
    } finally {
      this.#access.release(held)
    }
  }

  /** Makes a file, for its owner only, and opens it for reading and writing. @throws EEXIST where there is anything. */
  newFile(name: string): OwnFile {
    assertStep(name)
    this.#access.confirm(this.#held)
    const flags = constants.O_RDWR | constants.O_EXCL
    return new OwnFile(this.#access.create(this.#held, name, { flags, mode: 0o600 }))
  }

  /** Opens a file for reading and writing, and makes it where there is none. */
  fileOrNew(name: string): OwnFile {
    return this.file(name, 'write') ?? this.newFile(name)
  }

  /** Reads a whole file; `undefined` where there is none. */
  read(
    name: string,
    { maxBytes = defaultMaxBytes }: { readonly maxBytes?: number } = {},
  ): Buffer | undefined {
    using file = this.file(name)
    if (file === undefined) return undefined
    const { size } = fstatSync(file.descriptor)
    if (size > maxBytes)
      throw new Error(
        `${join(this.path, name)} has ${size} bytes, at most ${maxBytes} are read. Make it smaller or remove it.`,
      )
    return readFileSync(file.descriptor)
  }

  /** Reads a whole file as UTF-8; `undefined` where there is none. */
  readText(name: string, options: { readonly maxBytes?: number } = {}): string | undefined {
    return this.read(name, options)?.toString('utf8')
  }

  /** Puts a file in the place of whatever has the name: whole, or not at all. What a link leads to stays as it is. */
  replace(name: string, content: string | Uint8Array): void {
    const written = this.#writeBeside(name, content)
    try {
      this.#rename(written, name)
    } finally {
      written.file.closeNow()
    }
  }

  /** The same, so that it outlives a power cut once the promise is resolved. */
  async replaceDurably(name: string, content: string | Uint8Array): Promise<void> {
    const written = this.#writeBeside(name, content)
    using file = written.file
    try {
      await file.sync()
    } catch (error) {
      this.#access.discard(this.#held, written.temporary)
      throw error
    }
    this.#rename(written, name)
    await this.sync()
  }

  /** Adds whole lines to a file, and makes it where there is none. A line that was cut short there swallows none of them. */
  append(name: string, lines: string): void {
    using file = this.fileOrNew(name)
    file.appendNow(lines)
  }

  /** The same, so that it outlives a power cut once the promise is resolved. */
  async appendDurably(name: string, lines: string): Promise<void> {
    using file = this.fileOrNew(name)
    file.appendNow(lines)
    await file.sync()
    await this.sync()
  }

  /** Removes a name, whatever it stands for, except a folder. */
  remove(name: string): void {
    assertStep(name)
    this.#access.confirm(this.#held)
    try {
      unlinkSync(`${this.#held.at}/${name}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  /** Every name in the folder, in no order. */
  names(): readonly string[] {
    this.#access.confirm(this.#held)
    return readdirSync(this.#held.at)
  }

  /** What has a name, links not followed; `undefined` where there is nothing. Costs one look, and opens nothing. */
  stats(name: string): Stats | undefined {
    assertStep(name)
    return lstatSync(`${this.#held.at}/${name}`, { throwIfNoEntry: false })
  }

  /**
   * The same by the path at which the folder lies now, which costs half as much. Only for what is compared with a state that was
   * seen through the folder itself: whoever exchanges the folder meanwhile shows another file, which has another state.
   */
  statsByPath(name: string): Stats | undefined {
    this.#realPath ??= this.#access.realPath(this.#held)
    return lstatSync(`${this.#realPath}/${name}`, { throwIfNoEntry: false })
  }

  /** Makes its names outlive a power cut. */
  async sync(): Promise<void> {
    await syncFolderAt(`${this.#held.at}/.`)
  }

  /** Keeps all others out of it. */
  makePrivate(): void {
    this.#access.confirm(this.#held)
    chmodSync(this.#held.at, 0o700)
  }

  close(): void {
    // Twice would close whatever was opened since.
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#access.release(this.#held)
    for (const folder of this.#above) folder.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #writeBeside(name: string, content: string | Uint8Array): WrittenFile {
    const temporary = `.${name}.${randomBytes(6).toString('hex')}.new`
    const file = this.newFile(temporary)
    try {
      file.writeNow(typeof content === 'string' ? Buffer.from(content) : content, 0)
      return { file, temporary }
    } catch (error) {
      file.closeNow()
      this.#access.discard(this.#held, temporary)
      throw error
    }
  }

  #rename({ file, temporary }: WrittenFile, name: string): void {
    assertStep(name)
    this.#access.confirm(this.#held)
    try {
      renameSync(`${this.#held.at}/${temporary}`, `${this.#held.at}/${name}`)
    } catch (error) {
      this.#access.discard(this.#held, temporary)
      throw error
    }
    if (this.stats(name)?.ino === fstatSync(file.descriptor).ino) return
    throw new Error(
      `${join(this.path, name)} was exchanged by somebody else while it was written. Find out who writes to this folder.`,
    )
  }

  #look(name: string): HeldEntry | undefined {
    assertStep(name)
    this.#access.confirm(this.#held)
    try {
      return this.#access.look(this.#held, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  #makeFolder(name: string): HeldEntry {
    try {
      mkdirSync(`${this.#held.at}/${name}`, { mode: 0o700 })
    } catch (error) {
      // Somebody else made it meanwhile; what it is will be seen.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return this.#access.look(this.#held, name)
  }
}

const namespacesFolder = 'namespaces'

/** A namespace whose store lies in that of another one. */
interface InnerStore {
  /** The path of the other one. */
  readonly store: string
  readonly name: string
}

function innerStore(path: string): InnerStore | undefined {
  const parent = dirname(resolve(path))
  if (basename(parent) !== namespacesFolder) return undefined
  return { store: dirname(parent), name: basename(resolve(path)) }
}

function assertStep(name: string): void {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw toolsmakerError('STORE_INVALID', `${JSON.stringify(name)} is not the name of a file.`)
}
