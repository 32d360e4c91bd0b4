import { lstat } from 'node:fs/promises'

/** The facts of a file that is not there. */
export const goneFile = 'gone'

/** Facts of a file that differ once it was written: as a text, to be compared. */
export async function readFileFacts(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await lstat(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return goneFile
  }
}
