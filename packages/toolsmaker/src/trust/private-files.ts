import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { toolsmakerError } from '../error-catalogue.ts'
import { OwnFolder } from '../files/own-folder.ts'

/** The largest file of the trust directory that is read, in bytes. */
const maxTrustFileBytes = 64 * 1_024 * 1_024

/** Makes a folder that only its owner can enter, or makes an existing one so. The links in its path are the operator's. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  using folder = OwnFolder.open(path, 'trust')
  folder.makePrivate()
}

/** Writes a file of a trust directory that only its owner can read: whole and durable, or not at all. */
export async function writePrivateFile(
  directory: string,
  path: string,
  text: string,
): Promise<void> {
  using trust = OwnFolder.open(directory, 'trust')
  await trust.within(path, (folder, name) => folder.replaceDurably(name, text), { make: true })
}

/** Adds text to a file of a trust directory that only its owner can read, durably. */
export async function appendPrivateFile(
  directory: string,
  path: string,
  text: string,
): Promise<void> {
  using trust = OwnFolder.open(directory, 'trust')
  await trust.within(path, (folder, name) => folder.appendDurably(name, text), { make: true })
}

/**
 * Reads a file of a trust directory; `undefined` when there is none.
 *
 * @throws {ToolError} TRUST_INVALID when it is a link, somebody else's, or no plain file.
 */
export function readPrivateFile(directory: string, path: string): string | undefined {
  if (!existsSync(directory)) return undefined
  using trust = OwnFolder.open(directory, 'trust')
  return trust.within(path, (folder, name) =>
    folder.readText(name, { maxBytes: maxTrustFileBytes }),
  )
}

/**
 * Reads a JSON file of a trust directory; `undefined` when there is none.
 *
 * @throws {ToolError} TRUST_INVALID when it is not JSON, not of the schema, a link, somebody else's, or no plain file.
 */
export async function readTrustFile<Value>(
  directory: string,
  path: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  const text = readPrivateFile(directory, path)
  if (text === undefined) return undefined
  const file = join(directory, path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw toolsmakerError('TRUST_INVALID', `${file} is not JSON. Mend it or restore it.`, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw toolsmakerError('TRUST_INVALID', `${file}: ${place}${issue?.message}. Mend the file.`)
}
