import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { toolsmakerError } from '../error-catalogue.ts'
import { OwnFolder } from '../files/own-folder.ts'
import { openCheckpoint } from '../trust/trust-checkpoint.ts'
import type { Trust } from '../trust/trust.ts'
import { checkRow, genesisHash } from './audit-line.ts'

/** Where the log of a host and what its trust remembers of it lie. */
export interface LogIdentityOptions {
  /** The folder with `audit.jsonl`. */
  readonly storeDirectory: string
  readonly trust: Trust
  /** @default 'default' */
  readonly namespace?: string
  /** How large the first row may be, in bytes. @default 4_194_304 */
  readonly maxEventBytes?: number
}

/** Which log a host writes, told by its files alone. */
export interface LogIdentity {
  /** The hash of the first row that is there; `undefined` where there is none. */
  readonly store: string | undefined
  /** The hash of the first row of the log that the trust remembers; `undefined` where it remembers none. */
  readonly known: string | undefined
}

const defaultMaxEventBytes = 4 * 1_024 * 1_024

const logIdentityOptionNames: KnownOptions<LogIdentityOptions> = {
  storeDirectory: true,
  trust: true,
  namespace: true,
  maxEventBytes: true,
}

/**
 * Tells which log a host writes, for whoever signs for that host and does not believe what it says. Takes no lock, so the host may
 * run.
 *
 * @throws {ToolError} STORE_INVALID when the first row is longer than `maxEventBytes`.
 */
export async function readLogIdentity(options: LogIdentityOptions): Promise<LogIdentity> {
  assertOptions<LogIdentityOptions>('readLogIdentity', options, logIdentityOptionNames)
  const { maxEventBytes = defaultMaxEventBytes, namespace = 'default', trust } = options
  const kept = await trust.readCheckpoint(namespace)
  const checkpoint = kept === undefined ? undefined : await openCheckpoint(kept, trust.hostSigner())
  const row = await readFirstRow(options.storeDirectory, maxEventBytes)
  return {
    store: row === undefined ? undefined : identityOf(row, namespace),
    // One of an older form knew no identity.
    known: checkpoint?.store === '' ? undefined : checkpoint?.store,
  }
}

/** As the store itself takes it: of a faulty row all bytes count, for what it calls its hash is only a claim. */
function identityOf(row: Buffer, namespace: string): string {
  const { digest } = checkRow(row, { sequence: 1, previous: genesisHash(namespace) })
  return digest ?? hash('sha256', row, 'hex')
}

async function readFirstRow(directory: string, maxBytes: number): Promise<Buffer | undefined> {
  const bytes = await readStart(directory, maxBytes + 1)
  const end = bytes?.indexOf('\n') ?? -1
  if (bytes === undefined || (end < 0 && bytes.length <= maxBytes)) return undefined
  if (end >= 0) return bytes.subarray(0, end)
  throw toolsmakerError(
    'STORE_INVALID',
    `The first row of ${join(directory, 'audit.jsonl')} is longer than ${maxBytes} bytes.`,
  )
}

/** What a file begins with, up to its first line break or so many bytes. */
async function readStart(directory: string, maxBytes: number): Promise<Buffer | undefined> {
  if (!existsSync(directory)) return undefined
  using folder = OwnFolder.open(directory, 'store')
  using file = folder.file('audit.jsonl')
  if (file === undefined) return undefined
  const blocks: Buffer[] = []
  let length = 0
  while (length < maxBytes) {
    const block = Buffer.alloc(Math.min(65_536, maxBytes - length))
    // oxlint-disable-next-line no-await-in-loop -- one block after the other, until the row ends
    const { bytesRead } = await file.read(block, 0, block.length, length)
    blocks.push(block.subarray(0, bytesRead))
    length += bytesRead
    if (bytesRead === 0 || block.includes('\n')) break
  }
  return Buffer.concat(blocks)
}
