import { hash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join, relative, resolve, sep, dirname, basename, isAbsolute } from 'node:path'
import { type JsonValue, assertOptions } from '@toolcrib/registry'
import {
  type ApprovalPolicy,
  approvalPolicySchema,
  defaultApprovalPolicy,
} from '../approvals/approval-policy.ts'
import type { ApprovalSigner } from './approval-signer.ts'
import { approversSchema } from './approver-schema.ts'
import { type KeyPairText, createSigner, generateKeyPair } from './ed25519-key.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { hashJson } from '../hash-json.ts'
import { type KeptCheckpoint, keptCheckpointSchema } from './older-checkpoint.ts'
import { hostApproverId, hostKeySchema } from './host-key.ts'
import {
  appendPrivateFile,
  makePrivateFolder,
  readPrivateFile,
  readTrustFile,
  writePrivateFile,
} from './private-files.ts'
import { hasRevocationOf, revocationKey, revocationSchema } from './revocation-list.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { Approver, Trust } from './trust.ts'

/**
 * Opens the trust in a folder, `approvers.json`, `policy.json`, `host-key.json` and `revocations.jsonl`; makes the folder
 * (0700) and the host's key (0600) where they are missing. Keep the folder where no tool can write.
 *
 * @throws {ToolError} TRUST_INVALID when a file cannot be used.
 * @throws {ToolError} TRUST_MISPLACED when it and `storeDirectory` contain each other.
 */
export async function openTrustDirectory(
  directory: string,
  options: { readonly storeDirectory?: string } = {},
): Promise<Trust> {
  assertOptions<typeof options>('openTrustDirectory', options, { storeDirectory: true })
  const folder = resolve(directory)
  if (options.storeDirectory !== undefined) await assertApart(folder, options.storeDirectory)
  await makePrivateFolder(folder)
  const hostKey = await openHostKey(folder)
  const trust = new TrustDirectory(folder, createSigner(hostApproverId, hostKey))
  await trust.refresh()
  return trust
}

/**
 * Makes sure that neither of two folders lies in the other, links followed.
 *
 * @throws {ToolError} TRUST_MISPLACED when one does.
 */
export async function assertApart(trustFolder: string, storeFolder: string): Promise<void> {
  const [trust, store] = await Promise.all([realPath(trustFolder), realPath(storeFolder)])
  if (!contains(trust, store) && !contains(store, trust)) return
  throw toolsmakerError(
    'TRUST_MISPLACED',
    `The trust directory ${trustFolder} and the store directory ${storeFolder} contain each other: whoever writes to the ` +
      'store could then make itself an approver. Put them in separate folders.',
  )
}

/** The real path of a folder that need not exist yet. */
async function realPath(path: string): Promise<string> {
  const absolute = resolve(path)
  try {
    return await realpath(absolute)
  } catch {
    const parent = dirname(absolute)
    return parent === absolute ? absolute : join(await realPath(parent), basename(absolute))
  }
}

function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner)
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
}

async function openHostKey(directory: string): Promise<KeyPairText> {
  const known = await readTrustFile(directory, 'host-key.json', hostKeySchema)
  if (known !== undefined) return known
  const keys = generateKeyPair()
  await writePrivateFile(directory, 'host-key.json', `${JSON.stringify(keys, null, 2)}\n`)
  return keys
}

class TrustDirectory implements Trust {
  readonly directory: string
  readonly #hostSigner: ApprovalSigner
  #approvers: ReadonlyMap<string, Approver> = new Map()
  #policy: ApprovalPolicy = defaultApprovalPolicy
  #policyHash = ''
  #revoked: ReadonlySet<string> = new Set()

  constructor(directory: string, hostSigner: ApprovalSigner) {
    this.directory = directory
    this.#hostSigner = hostSigner
  }

  approvers(): ReadonlyMap<string, Approver> {
    return this.#approvers
  }

  policy(): ApprovalPolicy {
    return this.#policy
  }

  policyHash(): string {
    return this.#policyHash
  }

  hostSigner(): ApprovalSigner {
    return this.#hostSigner
  }

  hasRevocation(namespace: string, name: string): boolean {
    return hasRevocationOf(this.#revoked, namespace, name)
  }

  isRevoked(revocation: Parameters<Trust['isRevoked']>[0]): boolean {
    return this.#revoked.has(revocationKey(revocation))
  }

  async recordRevocation(revocation: Parameters<Trust['recordRevocation']>[0]): Promise<void> {
    const key = revocationKey(revocation)
    if (this.#revoked.has(key)) return
    // The line break in front parts it from an older line that was cut short.
    const line = `\n${JSON.stringify(revocation)}\n`
    await appendPrivateFile(this.directory, revocationsFile, line)
    this.#revoked = new Set([...this.#revoked, key])
  }

  async readCheckpoint(namespace: string): Promise<KeptCheckpoint | undefined> {
    return readTrustFile(this.directory, checkpointPath(namespace), keptCheckpointSchema)
  }

  async saveCheckpoint(namespace: string, signed: StatementEnvelope): Promise<void> {
    const text = `${JSON.stringify(signed, undefined, 2)}\n`
    await writePrivateFile(this.directory, checkpointPath(namespace), text)
  }

  async refresh(): Promise<void> {
    const [approvers = [], policy = defaultApprovalPolicy, revoked] = await Promise.all([
      readTrustFile(this.directory, 'approvers.json', approversSchema),
      readTrustFile(this.directory, 'policy.json', approvalPolicySchema),
      readRevocations(this.directory),
    ])
    this.#approvers = new Map(approvers.map((approver) => [approver.id, Object.freeze(approver)]))
    this.#policy = policy
    this.#policyHash = hashJson(policy as unknown as JsonValue)
    this.#revoked = revoked
  }
}

const revocationsFile = 'revocations.jsonl'

// A namespace may have any characters; its hash names a file on every system.
function checkpointPath(namespace: string): string {
  return `checkpoints/${hash('sha256', namespace, 'hex').slice(0, 32)}.json`
}

async function readRevocations(directory: string): Promise<ReadonlySet<string>> {
  const text = readPrivateFile(directory, revocationsFile) ?? ''
  const lines = text.split('\n')
  const keys = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    try {
      keys.add(revocationKey(revocationSchema.parse(JSON.parse(line))))
    } catch (cause) {
      // Only a write that a crash cut short may be unreadable, and it was never acknowledged.
      if (!line.endsWith('}')) continue
      throw toolsmakerError(
        'TRUST_INVALID',
        `${join(directory, revocationsFile)}, line ${index + 1}, is not a revocation.`,
        { cause },
      )
    }
  }
  return keys
}
