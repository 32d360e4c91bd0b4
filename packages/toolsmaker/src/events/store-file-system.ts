import { mkdir, open, stat, writeFile } from 'node:fs/promises'

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

/** The real file system. */
export const realFileSystem: StoreFileSystem = {
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
  },
  openFile: async (path) => {
    try {
      return await open(path, 'r+')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return open(path, 'wx+', 0o600)
    }
  },
  identify: (path) => stat(path),
  writeNewFile: (path, bytes) => writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true }),
  syncFolder: async (path) => {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  },
}
