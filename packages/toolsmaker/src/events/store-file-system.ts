import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { OwnFolder } from '../files/own-folder.ts'

/** An open file, as far as the file store uses it. */
export interface StoreFile {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
  write(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>
  truncate(length: number): Promise<void>
  sync(): Promise<void>
  stat(): Promise<{ readonly size: number; readonly ino: number }>
  close(): Promise<void>
}

/** What the file store needs of a file system; replaced in tests by one that fails. */
export interface StoreFileSystem {
  makeFolder(path: string): Promise<void>
  /** Opens a file for reading and writing; makes it, for its owner only, where it is missing. */
  openFile(path: string): Promise<StoreFile>
  identify(path: string): Promise<{ readonly size: number; readonly ino: number }>
  /** Writes a file that must not exist yet, durably. */
  writeNewFile(path: string, bytes: Uint8Array): Promise<void>
  syncFolder(path: string): Promise<void>
}

/** The real file system. Files are opened by {@link OwnFolder}: no link is followed, and only the host's own files are used. */
export const realFileSystem: StoreFileSystem = {
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
  },
  openFile: async (path) => {
    using folder = OwnFolder.open(dirname(path), 'store')
    return folder.fileOrNew(basename(path))
  },
  identify: async (path) => {
    using folder = OwnFolder.open(dirname(path), 'store')
    using file = folder.file(basename(path))
    if (file !== undefined) return await file.stat()
    throw Object.assign(new Error(`ENOENT: ${path} is not there any more`), { code: 'ENOENT' })
  },
  writeNewFile: async (path, bytes) => {
    using folder = OwnFolder.open(dirname(path), 'store')
    using file = folder.newFile(basename(path))
    file.writeNow(bytes, 0)
    await file.sync()
  },
  syncFolder: async (path) => {
    using folder = OwnFolder.open(path, 'store')
    await folder.sync()
  },
}
