import { ToolError } from '@toolcrib/registry'
import {
  type DecisionPlace,
  type LogHead,
  type Trust,
  type VersionAction,
  openTrustDirectory,
  signDecision,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import type { Host } from '../../host/host.ts'
import { hostError } from '../../host-error.ts'
import type { OperationInput, OperationOutput } from '../../operations/catalogue.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'
import { makeFirstApprover } from '../commands/approver-command.ts'
import { askPassphrase } from '../passphrase.ts'
import type { CommandContext } from '../program/command-context.ts'
import { type ExpectedStatement, describeStatementProblem } from './compare-statement.ts'
import { formatDecisive } from './decisive-lines.ts'
import { assertReviewHolds } from './reviewed-version.ts'

/** How a decision is signed on the command line. */
export interface SigningOptions {
  /** Which approver signs. @default the only one there is */
  readonly approver?: string
  /** Read the passphrase from standard input instead of asking. */
  readonly passphraseStdin?: boolean
}

/** What a person wants to sign. */
export type WantedSignature =
  | {
      readonly action: VersionAction
      /** What was shown to the person. */
      readonly reviewed: ReviewedVersion
      /** What it does, for the prompt, such as `approve and put into use`. */
      readonly verb: string
    }
  | { readonly action: 'resume'; readonly place: DecisionPlace; readonly verb: string }
  | {
      readonly action: 'accept_log'
      readonly place: Omit<DecisionPlace, 'lifts'>
      readonly known: LogHead | null
      readonly found: LogHead
      readonly verb: string
    }

/**
 * Has the host prepare a statement, compares every field of it with what was asked for and shown, and only then asks for the
 * passphrase, signs it here with the approver's key, and hands over the signature alone. The host never sees key or
 * passphrase.
 *
 * @throws {ToolError} DECISION_INVALID when the statement is another one, REVIEW_CHANGED when the review is not what is on record.
 */
export async function signAndCarryOut(
  context: CommandContext,
  host: Host,
  { approver, passphraseStdin = false, ...wanted }: WantedSignature & SigningOptions,
): Promise<OperationOutput<'decisions.carry-out'>> {
  const { printer, prefix, signal } = context
  if ('reviewed' in wanted) assertReviewHolds(context, wanted.reviewed)
  const id = await chooseApprover(context, approver)
  const trust = await openTrustDirectory(context.folder.trust)
  const statement = await host.call('decisions.prepare', requestOf(wanted, id), signal)
  const problem = describeStatementProblem(statement, expectedOf(wanted, { id, trust }))
  if (problem !== undefined)
    throw new ToolError<string>(
      'DECISION_INVALID',
      `The host wants something else signed: ${problem}. Nothing was signed. Look who runs the host: ${prefix} doctor`,
    )
  if ('reviewed' in wanted && !printer.isJson) {
    printer.clearScreen()
    printer.note(formatDecisive(wanted.reviewed, printer, { action: wanted.verb, prefix }))
  }
  const passphrase = await askPassphrase(`Passphrase of ${id}, to ${describe(wanted)}`, {
    fromStdin: passphraseStdin,
  })
  const signer = await unlockSigner(context.folder.trust, { id, passphrase })
  const decision = await signDecision(statement, signer)
  return host.call('decisions.carry-out', { decision }, signal)
}

function requestOf(wanted: WantedSignature, approver: string): OperationInput<'decisions.prepare'> {
  if (!('reviewed' in wanted)) return { action: wanted.action, approver }
  const { contentHash, name, reportHash, version } = wanted.reviewed.review
  const hashes = { contentHash, ...(reportHash === undefined ? {} : { reportHash }) }
  return { action: wanted.action, name, version, approver, ...hashes }
}

function expectedOf(
  wanted: WantedSignature,
  { id, trust }: { readonly id: string; readonly trust: Trust },
): ExpectedStatement {
  const frame = { action: wanted.action, approver: id, policyHash: trust.policyHash() }
  if (wanted.action === 'resume') return { ...frame, ...wanted.place, lastsMs: null }
  if (wanted.action === 'accept_log') {
    const { found, known, place } = wanted
    return { ...frame, ...place, known, found, lastsMs: null }
  }
  const { content, place, review } = wanted.reviewed
  const { contentHash, kind, name, reportHash, version } = review
  const approves = wanted.action === 'approve' || wanted.action === 'approve_and_activate'
  const activates = wanted.action === 'activate' || wanted.action === 'approve_and_activate'
  return {
    name,
    version,
    kind,
    contentHash,
    reportHash,
    ...frame,
    ...place,
    lifts: activates ? place.lifts : null,
    proposer: content.proposer ?? review.proposedBy,
    limits: content.limits,
    lastsMs: approves ? trust.policy().approvalExpiryMs : null,
  }
}

function describe(wanted: WantedSignature): string {
  if (!('reviewed' in wanted)) return wanted.verb
  const { contentHash, name, version } = wanted.reviewed.review
  return `${wanted.verb} ${name} v${version} sha256 ${contentHash.slice(0, 16)}…`
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
  if (only !== undefined) return only
  context.printer.clearScreen()
  return makeFirstApprover(context)
}
