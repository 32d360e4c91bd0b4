import { userInfo } from 'node:os'
import { ToolError } from '@toolcrib/registry'
import { createApprover } from '@toolcrib/toolsmaker'
import type { CommandContext } from '../program/command-context.ts'
import { askPassphrase } from '../passphrase.ts'
import { hostError } from '../../host-error.ts'

/** Who becomes an approver. */
export interface ApproverOptions {
  /** @default the user's name */
  readonly id?: string
  /** Who else proposes for this person. @default none but the user of the operating system */
  readonly principal?: readonly string[]
  readonly passphraseStdin?: boolean
}

/** `approver init`: a key pair whose private half is under a passphrase that only the person knows. */
export async function runApproverInit(
  context: CommandContext,
  { id = defaultApproverId(), principal = [], passphraseStdin = false }: ApproverOptions,
): Promise<void> {
  const approver = await createApprover(context.folder.trust, {
    id,
    principals: [...new Set([ownPrincipal(), ...principal])],
    passphrase: await chooseNewPassphrase(id, passphraseStdin),
  })
  context.printer.result(approver, () =>
    [
      `✔ ${approver.id} can now sign decisions. Public key ${approver.publicKey}`,
      `  The private key is in ${context.folder.trust}/approver-keys, encrypted. Nobody can recover a lost passphrase.`,
    ].join('\n'),
  )
}

/** Offers to make the first approver when a decision needs one, on a terminal only. */
export async function makeFirstApprover(context: CommandContext): Promise<string> {
  if (!process.stdin.isTTY)
    throw new ToolError<string>(
      'APPROVER_UNKNOWN',
      `Nobody can sign yet. First: ${context.prefix} approver init`,
    )
  const id = defaultApproverId()
  context.printer.note(
    `Nobody can sign yet, so you become the first approver, "${id}". Choose a passphrase; it is asked for at each decision.`,
  )
  await createApprover(context.folder.trust, {
    id,
    principals: [ownPrincipal()],
    passphrase: await chooseNewPassphrase(id, false),
  })
  return id
}

async function chooseNewPassphrase(id: string, fromStdin: boolean): Promise<string> {
  const passphrase = await askPassphrase(`New passphrase for ${id} (8 characters or more)`, {
    fromStdin,
  })
  if (fromStdin) return passphrase
  if ((await askPassphrase('The same again', { fromStdin })) === passphrase) return passphrase
  throw hostError('USAGE', 'The two passphrases differ. Nothing was made.')
}

/** As whom this person proposes on the command line. */
function ownPrincipal(): string {
  return `person:${userInfo().username}`
}

function defaultApproverId(): string {
  const id = userInfo()
    .username.toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
  return id === '' ? 'operator' : id
}
