import { ToolError } from '@toolcrib/registry'
import {
  type VersionAction,
  openTrustDirectory,
  signDecision,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import type { Host } from '../../host/host.ts'
import { hostError } from '../../host-error.ts'
import type { OperationOutput } from '../../operations/catalogue.ts'
import { makeFirstApprover } from '../commands/approver-command.ts'
import { askPassphrase } from '../passphrase.ts'
import type { CommandContext } from '../program/command-context.ts'
import type { VersionReference } from '../program/version-reference.ts'
import { describeStatementProblem } from './compare-statement.ts'
import { formatDecisive } from './decisive-lines.ts'
import { noteLogProblem } from './log-problem.ts'
import { assertOwnLog } from './own-log.ts'
import { assertReviewedHash } from './reviewed-hash.ts'
import { assertReviewHolds, readReviewed } from './reviewed-version.ts'
import { noteReview } from './show-review.ts'
import {
  type WantedAboutLog,
  type WantedSignature,
  describeWanted,
  expectedOf,
  placeOf,
  requestOf,
} from './wanted-signature.ts'

/** How a decision is signed on the command line. */
export interface SigningOptions {
  /** Which approver signs. @default the only one there is */
  readonly approver?: string
  /** Read the passphrase from standard input instead of asking. */
  readonly passphraseStdin?: boolean
}

/** How a decision about a version is signed on the command line. */
export interface VersionSigningOptions extends SigningOptions {
  /** The hash that was reviewed; needed where nobody sees the review. */
  readonly hash?: string
}

/** Whether whoever signs sees what is signed, before and beside the prompt. */
export function isSeen(
  { printer }: CommandContext,
  { passphraseStdin = false }: SigningOptions,
): boolean {
  return !passphraseStdin && printer.isScreen
}

/**
 * The one way to sign anything about a version: reads its review, shows it, makes sure that it is what was reviewed, says once more what
 * decides, and signs that.
 *
 * @throws {ToolError} HOST_UNTRUSTED when the review does not follow from what is signed, REVIEW_CHANGED when it is not what is on
 *   record, USAGE or DECISION_STALE when it is not what was reviewed, and what {@link signForLog} throws.
 */
export async function signVersion(
  context: CommandContext,
  host: Host,
  {
    hash,
    name,
    version,
    action,
    verb,
    ...options
  }: VersionReference & {
    readonly action: VersionAction
    readonly verb: string
  } & VersionSigningOptions,
): Promise<OperationOutput<'decisions.carry-out'>> {
  await noteLogProblem(context, host)
  const reviewed = await readReviewed(context, host, { name, version })
  noteReview(context, reviewed)
  assertReviewedHash(`${name}@${version}`, {
    contentHash: reviewed.review.contentHash,
    expected: hash,
    isReviewed: isSeen(context, options),
  })
  assertReviewHolds(context, reviewed)
  return signAndCarryOut(context, host, { ...options, wanted: { action, reviewed, verb } })
}

/**
 * Signs what is about the whole event log: the end of a pause, or a log to be accepted.
 *
 * @throws {ToolError} HOST_UNTRUSTED when it is for another log than the one in the data folder, DECISION_INVALID when the host prepares
 *   another statement.
 */
export async function signForLog(
  context: CommandContext,
  host: Host,
  { approver, passphraseStdin, ...wanted }: WantedAboutLog & SigningOptions,
): Promise<OperationOutput<'decisions.carry-out'>> {
  return signAndCarryOut(context, host, {
    wanted,
    ...(approver === undefined ? {} : { approver }),
    ...(passphraseStdin === undefined ? {} : { passphraseStdin }),
  })
}

/**
 * Has the host prepare a statement, compares every field of it with what was asked for and shown, and only then asks for the
 * passphrase, signs it here with the approver's key, and hands over the signature alone. The host never sees key or
 * passphrase.
 */
async function signAndCarryOut(
  context: CommandContext,
  host: Host,
  {
    approver,
    passphraseStdin = false,
    wanted,
  }: SigningOptions & { readonly wanted: WantedSignature },
): Promise<OperationOutput<'decisions.carry-out'>> {
  const { printer, prefix, signal } = context
  const id = await chooseApprover(context, approver)
  const trust = await openTrustDirectory(context.folder.trust)
  await assertOwnLog(context, wanted, trust)
  const statement = await host.call('decisions.prepare', requestOf(wanted, id), signal)
  const problem = describeStatementProblem(statement, expectedOf(wanted, { id, trust }))
  if (problem !== undefined)
    throw new ToolError<string>(
      'DECISION_INVALID',
      `The host wants something else signed: ${problem}. Nothing was signed. Look who runs the host: ${prefix} doctor`,
    )
  if (!printer.isJson) {
    if ('reviewed' in wanted) {
      printer.clearScreen()
      printer.note(formatDecisive(wanted, printer, { prefix }))
    } else printer.note(`You sign: ${wanted.verb}\nlog ${placeOf(wanted).store.slice(0, 16)}…`)
  }
  const passphrase = await askPassphrase(`Passphrase of ${id}, to ${describeWanted(wanted)}`, {
    fromStdin: passphraseStdin,
  })
  const signer = await unlockSigner(context.folder.trust, { id, passphrase })
  const decision = await signDecision(statement, signer)
  return host.call('decisions.carry-out', { decision }, signal)
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
