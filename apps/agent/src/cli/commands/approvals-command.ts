import { ToolError } from '@toolcrib/registry'
import type { CommandContext } from '../program/command-context.ts'
import { formatTable } from '../table.ts'
import { shownLine } from '../review/shown-text.ts'
import { parseVersionReference } from '../program/version-reference.ts'
import { formatReview } from '../review/show-review.ts'
import { type SigningOptions, signAndCarryOut } from '../review/sign.ts'
import { hostError } from '../../host-error.ts'

/** `approvals list`. */
export async function runApprovalsList(context: CommandContext): Promise<void> {
  const pending = await context.withHost((host) => host.call('approvals.list', {}, context.signal))
  context.printer.result(pending, () =>
    pending.length === 0
      ? 'Nothing waits for you.'
      : formatTable(
          ['VERSION', 'KIND', 'RISK', 'OWNER', 'SINCE', 'DESCRIPTION'],
          pending.map(({ name, version, kind, risk, owner, updatedAt, description }) => [
            `${name}@${version}`,
            kind,
            risk,
            shownLine(owner, 20),
            updatedAt,
            shownLine(description, 60),
          ]),
        ),
  )
}

/** `approvals show NAME@VERSION`. */
export async function runApprovalsShow(
  context: CommandContext,
  reference: string,
  { source = false }: { readonly source?: boolean } = {},
): Promise<void> {
  const reviewed = await context.withHost((host) =>
    host.call('approvals.show', parseVersionReference(reference), context.signal),
  )
  context.printer.result(reviewed, () =>
    formatReview(reviewed, context.printer, { withSource: source }),
  )
}

/** `approvals approve NAME@VERSION`: shows the review, asks for the passphrase, signs that very hash. */
export async function runApprovalsApprove(
  context: CommandContext,
  reference: string,
  options: SigningOptions & { readonly hash?: string; readonly activate?: boolean },
): Promise<void> {
  const { name, version } = parseVersionReference(reference)
  const approved = await context.withHost(async (host) => {
    const reviewed = await host.call('approvals.show', { name, version }, context.signal)
    const { contentHash } = reviewed.review
    if (!context.printer.isJson)
      context.printer.note(`${formatReview(reviewed, context.printer)}\n`)
    assertHash(reference, {
      contentHash,
      expected: options.hash,
      isAttended: options.passphraseStdin !== true,
    })
    const action = options.activate === false ? 'approve' : 'approve_and_activate'
    return signAndCarryOut(context, host, {
      ...options,
      request: (approver) => ({ action, name, version, approver, contentHash }),
      what: `${action === 'approve' ? 'approve' : 'approve and put into use'} ${name} v${version} sha256 ${contentHash.slice(0, 16)}…`,
    })
  })
  context.printer.result(
    approved,
    () => `✔ ${name} v${version} is approved${options.activate === false ? '' : ' and in use'}.`,
  )
}

/** `approvals reject NAME@VERSION --reason TEXT`. */
export async function runApprovalsReject(
  context: CommandContext,
  reference: string,
  { reason }: { readonly reason: string },
): Promise<void> {
  const { name, version } = parseVersionReference(reference)
  const rejected = await context.withHost((host) =>
    host.call('approvals.reject', { name, version, reason }, context.signal),
  )
  context.printer.result(
    rejected,
    () => `✔ ${name} v${version} is rejected; the reason goes back to the agent.`,
  )
}

// Whoever does not see the review on a screen must say which hash was reviewed.
function assertHash(
  reference: string,
  {
    contentHash,
    expected,
    isAttended,
  }: { contentHash: string; expected: string | undefined; isAttended: boolean },
): void {
  if (expected === undefined) {
    if (isAttended) return
    throw hostError('USAGE', `Say which hash you reviewed: --hash ${contentHash}`)
  }
  if (expected.length >= 8 && contentHash.startsWith(expected.toLowerCase())) return
  throw new ToolError<string>(
    'DECISION_STALE',
    `${reference} has the hash ${contentHash}, not ${expected}. Review it again. (At least 8 digits are needed.)`,
  )
}

/** `approvals share NAME@VERSION`: lets every agent see and call it, under a signature. */
export async function runApprovalsShare(
  context: CommandContext,
  reference: string,
  options: SigningOptions,
): Promise<void> {
  const { name, version } = parseVersionReference(reference)
  const shared = await context.withHost(async (host) => {
    const { review } = await host.call('approvals.show', { name, version }, context.signal)
    const { contentHash } = review
    return signAndCarryOut(context, host, {
      ...options,
      request: (approver) => ({ action: 'share', name, version, approver, contentHash }),
      what: `let every agent call ${name} v${version} sha256 ${contentHash.slice(0, 16)}…`,
    })
  })
  context.printer.result(shared, () => `✔ Every agent may call ${name} v${version}.`)
}
