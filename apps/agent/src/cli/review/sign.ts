import { ToolError } from '@toolcrib/registry'
import { openTrustDirectory, signDecision, unlockSigner } from '@toolcrib/toolsmaker'
import type { CommandContext } from '../program/command-context.ts'
import { askPassphrase } from '../passphrase.ts'
import type { Host } from '../../host/host.ts'
import type { OperationInput, OperationOutput } from '../../operations/catalogue.ts'
import { makeFirstApprover } from '../commands/approver-command.ts'
import { hostError } from '../../host-error.ts'

/** How a decision is signed on the command line. */
export interface SigningOptions {
  /** Which approver signs. @default the only one there is */
  readonly approver?: string
  /** Read the passphrase from standard input instead of asking. */
  readonly passphraseStdin?: boolean
}

interface Signing extends SigningOptions {
  readonly request: (approver: string) => OperationInput<'decisions.prepare'>
  /** What is signed, for the prompt. */
  readonly what: string
}

/**
 * Has the host prepare a statement, signs it here with the approver's key, and hands over the signature alone. The host
 * never sees key or passphrase.
 */
export async function signAndCarryOut(
  context: CommandContext,
  host: Host,
  { request, what, approver, passphraseStdin = false }: Signing,
): Promise<OperationOutput<'decisions.carry-out'>> {
  const { trust } = context.folder
  const id = await chooseApprover(context, approver)
  const statement = await host.call('decisions.prepare', request(id), context.signal)
  const passphrase = await askPassphrase(`Passphrase of ${id}, to ${what}`, {
    fromStdin: passphraseStdin,
  })
  const signer = await unlockSigner(trust, { id, passphrase })
  const decision = await signDecision(statement, signer)
  return host.call('decisions.carry-out', { decision }, context.signal)
}

async function chooseApprover(
  context: CommandContext,
  wanted: string | undefined,
): Promise<string> {
  const trust = await openTrustDirectory(context.folder.trust)
  const ids = [...trust.approvers().keys()]
  if (wanted !== undefined) {
    if (ids.includes(wanted)) return wanted
    throw new ToolError<string>(
      'APPROVER_UNKNOWN',
      `There is no approver "${wanted}". There are: ${ids.join(', ') || 'none'}.`,
    )
  }
  const [only] = ids
  if (ids.length > 1)
    throw hostError('USAGE', `Say who signs: --approver, one of ${ids.join(', ')}.`)
  return only ?? makeFirstApprover(context)
}
