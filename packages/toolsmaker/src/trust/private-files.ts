import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toolsmakerError } from '../error-catalogue.ts'
import type { z } from 'zod'

/** Makes a folder that only its owner can enter, or makes an existing one so. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

/** Writes a file that only its owner can read: whole and durable, or not at all. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Reads a JSON file of the trust directory; `undefined` when there is none.
 *
 * @throws {ToolError} TRUST_INVALID when it is not JSON, or not of the schema.
 */
export async function readTrustFile<Value>(
  path: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw toolsmakerError('TRUST_INVALID', `${path} is not JSON. Mend it or restore it.`, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw toolsmakerError('TRUST_INVALID', `${path}: ${place}${issue?.message}. Mend the file.`)
}
