import type { ExitCode } from '../exit-code.ts'
import type { CommandContext } from '../program/command-context.ts'
import { formatTable } from '../table.ts'
import { shownLine } from '../review/shown-text.ts'
import { parseVersionReference } from '../program/version-reference.ts'
import { decideAndTell } from '../review/decide-and-tell.ts'
import { assertReviewedHash } from '../review/reviewed-hash.ts'
import { formatReview } from '../review/show-review.ts'
import { type SigningOptions, signAndCarryOut } from '../review/sign.ts'

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
): Promise<ExitCode> {
  const { name, version } = parseVersionReference(reference)
  return context.withHost(async (host) => {
    const reviewed = await host.call('approvals.show', { name, version }, context.signal)
    const { contentHash } = reviewed.review
    if (!context.printer.isJson)
      context.printer.note(`${formatReview(reviewed, context.printer)}\n`)
    assertReviewedHash(reference, {
      contentHash,
      expected: options.hash,
      isReviewed: options.passphraseStdin !== true,
    })
    const action = options.activate === false ? 'approve' : 'approve_and_activate'
    const verb = action === 'approve' ? 'approve' : 'approve and put into use'
    const what = `${verb} ${name} v${version} sha256 ${contentHash.slice(0, 16)}…`
    const decision = { action, name, version, contentHash, what } as const
    return decideAndTell(context, decision, { host, signing: options })
  })
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
