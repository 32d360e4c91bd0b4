import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { join } from 'node:path'
import { lockFolder } from '@toolcrib/folder-lock'
import type { ApprovalSigner } from './approval-signer.ts'
import { decryptKey, encryptKey, encryptedKeySchema } from './approver-key-file.ts'
import { approverIdSchema, approversSchema, principalsSchema } from './approver-schema.ts'
import { createSigner, generateKeyPair } from './ed25519-key.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { makePrivateFolder, readTrustFile, writePrivateFile } from './private-files.ts'
import type { Approver } from './trust.ts'

/** Who a new approver is. */
export interface NewApprover {
  /** Lower-case letters, digits, "_" and "-"; names the key file. */
  readonly id: string
  /** @default the id */
  readonly name?: string
  /** The principals that propose for this person; with four eyes their tools are for somebody else to approve. @default none */
  readonly principals?: readonly string[]
  /** Asked for at each decision; at least 8 characters. */
  readonly passphrase: string
}

const newApproverFields: KnownOptions<NewApprover> = {
  id: true,
  name: true,
  passphrase: true,
  principals: true,
}

const minPassphraseLength = 8

/**
 * Makes a key pair: the public key goes into `approvers.json`, the private one, encrypted, into `approver-keys/<id>.json`.
 *
 * @throws {ToolError} APPROVER_EXISTS when the id is taken; TRUST_INVALID when the id breaks its rule.
 * @throws {ToolError} PASSPHRASE_TOO_SHORT when it has fewer than 8 characters.
 */
export async function createApprover(directory: string, approver: NewApprover): Promise<Approver> {
  assertOptions<NewApprover>('createApprover', approver, newApproverFields)
  const { id, name = id, passphrase, principals = [] } = approver
  assertApproverId(id)
  assertPrincipals(principals)
  if (passphrase.length < minPassphraseLength)
    throw toolsmakerError(
      'PASSPHRASE_TOO_SHORT',
      `The passphrase has ${passphrase.length} characters, at least ${minPassphraseLength} are needed.`,
    )
  await makePrivateFolder(directory)
  const lock = await lockFolder(join(directory, 'approver-keys'), {
    purpose: 'adding an approver',
    waitMs: 5_000,
  })
  try {
    return await addApprover(directory, { id, name, passphrase, principals })
  } finally {
    await lock.release()
  }
}

async function addApprover(
  directory: string,
  { id, name, passphrase, principals }: Required<NewApprover>,
): Promise<Approver> {
  const known = (await readTrustFile(directory, 'approvers.json', approversSchema)) ?? []
  if (known.some((approver) => approver.id === id))
    throw toolsmakerError('APPROVER_EXISTS', `There is an approver "${id}". Choose another id.`)
  const keys = generateKeyPair()
  const approver: Approver = {
    id,
    name,
    principals,
    algorithm: 'ed25519',
    publicKey: keys.publicKey,
  }
  const encrypted = await encryptKey({ id, ...keys }, passphrase)
  // The key file first: a public key without its private key could never sign and would block the id.
  await writePrivateFile(directory, keyPath(id), `${JSON.stringify(encrypted, undefined, 2)}\n`)
  const all = approversSchema.parse([...known, approver])
  await writePrivateFile(directory, 'approvers.json', `${JSON.stringify(all, undefined, 2)}\n`)
  return approver
}

/**
 * Opens an approver's private key with its passphrase. Use the signer for one decision, then drop it.
 *
 * @throws {ToolError} APPROVER_UNKNOWN when there is no such key.
 * @throws {ToolError} PASSPHRASE_WRONG when the passphrase does not open it.
 */
export async function unlockSigner(
  directory: string,
  approver: Pick<NewApprover, 'id' | 'passphrase'>,
): Promise<ApprovalSigner> {
  // Whoever has just made the approver passes the same again.
  assertOptions<NewApprover>('unlockSigner', approver, newApproverFields)
  const { id, passphrase } = approver
  assertApproverId(id)
  const key = await readTrustFile(directory, keyPath(id), encryptedKeySchema)
  if (key === undefined || key.id !== id)
    throw toolsmakerError(
      'APPROVER_UNKNOWN',
      `There is no key of approver "${id}" in ${directory}. Create the approver first.`,
    )
  return createSigner(id, {
    publicKey: key.publicKey,
    privateKey: await decryptKey(key, passphrase),
  })
}

function assertApproverId(id: string): void {
  const parsed = approverIdSchema.safeParse(id)
  if (parsed.success) return
  throw toolsmakerError(
    'TRUST_INVALID',
    `Approver id ${JSON.stringify(id).slice(0, 100)} ${parsed.error.issues[0]?.message}. Choose another id.`,
  )
}

function assertPrincipals(principals: readonly string[]): void {
  const parsed = principalsSchema.safeParse(principals)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  throw toolsmakerError(
    'TRUST_INVALID',
    `Principal ${issue?.path.join('.') ?? ''} of the approver ${issue?.message}. Name each by kind and id.`,
  )
}

function keyPath(id: string): string {
  return `approver-keys/${id}.json`
}
