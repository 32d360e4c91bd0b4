import {
  type Stats,
  closeSync,
  constants,
  fstat,
  fstatSync,
  fsync,
  ftruncate,
  openSync,
  read,
  readSync,
  write,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'

const lineBreak = 10

const wait = {
  fstat: promisify(fstat),
  fsync: promisify(fsync),
  ftruncate: promisify(ftruncate),
}

/** A file of the store or the trust, opened and checked by {@link OwnFolder}. */
export class OwnFile implements Disposable {
  readonly descriptor: number
  #isOpen = true

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  // oxlint-disable-next-line max-params -- as in node:fs
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    return new Promise((resolve, reject) => {
      read(this.descriptor, buffer, offset, length, position, (error, bytesRead) =>
        error === null ? resolve({ bytesRead }) : reject(error),
      )
    })
  }

  // oxlint-disable-next-line max-params -- as in node:fs
  write(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }> {
    return new Promise((resolve, reject) => {
      write(this.descriptor, buffer, offset, length, position, (error, bytesWritten) =>
        error === null ? resolve({ bytesWritten }) : reject(error),
      )
    })
  }

  /** Writes all bytes at once. */
  writeNow(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.descriptor, bytes, done, bytes.length - done, position + done)
  }

  /** Writes whole lines behind what there is; a line that is not whole is ended first. */
  appendNow(lines: string): void {
    const { size } = fstatSync(this.descriptor)
    const last = Buffer.alloc(1)
    const isWhole =
      size === 0 || (readSync(this.descriptor, last, 0, 1, size - 1) === 1 && last[0] === lineBreak)
    this.writeNow(Buffer.from(isWhole ? lines : `\n${lines}`), size)
  }

  truncate(length: number): Promise<void> {
    return wait.ftruncate(this.descriptor, length)
  }

  /** Waits until it is on the disk. */
  sync(): Promise<void> {
    return wait.fsync(this.descriptor)
  }

  stat(): Promise<{ readonly size: number; readonly ino: number; readonly nlink: number }> {
    return wait.fstat(this.descriptor)
  }

  /** The same at once. */
  statNow(): Stats {
    return fstatSync(this.descriptor)
  }

  async close(): Promise<void> {
    this.closeNow()
  }

  closeNow(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.descriptor)
  }

  [Symbol.dispose](): void {
    this.closeNow()
  }
}

/** Waits until the names in a folder are on the disk, where the system can do that. */
export async function syncFolderAt(path: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    await wait.fsync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
