import { type ExitCode, exitCodes } from '../exit-code.ts'
import type { CommandContext } from '../program/command-context.ts'
import { formatTable } from '../table.ts'
import { shownLine } from '../review/shown-text.ts'
import { parseVersionReference } from '../program/version-reference.ts'
import { decideAndTell } from '../review/decide-and-tell.ts'
import { readReviewed } from '../review/reviewed-version.ts'
import { noteLogProblem } from '../review/log-problem.ts'
import { formatReview } from '../review/show-review.ts'
import { type VersionSigningOptions, signVersion } from '../review/sign.ts'

/** `approvals list`. */
export async function runApprovalsList(context: CommandContext): Promise<void> {
  const pending = await context.withHost(async (host) => {
    await noteLogProblem(context, host)
    return host.call('approvals.list', {}, context.signal)
  })
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
  const { printer } = context
  const reviewed = await context.withHost(async (host) => {
    await noteLogProblem(context, host)
    return readReviewed(context, host, parseVersionReference(reference))
  })
  const columns = printer.columns('result')
  printer.result(reviewed, () => formatReview(reviewed, printer, { columns, withSource: source }))
}

/** `approvals validate NAME@VERSION`: checks and tries a version again whose review is not what is on record. */
export async function runApprovalsValidate(
  context: CommandContext,
  reference: string,
): Promise<void> {
  const { name, version } = parseVersionReference(reference)
  const summary = await context.withHost((host) =>
    host.call('approvals.validate', { name, version }, context.signal),
  )
  context.printer.result(
    summary,
    () =>
      `✔ ${name} v${version} was checked and tried again. Review it: ${context.prefix} approvals show ${name}@${version}`,
  )
}

/** `approvals approve NAME@VERSION`: shows the review, asks for the passphrase, signs that very hash. */
export async function runApprovalsApprove(
  context: CommandContext,
  reference: string,
  { activate = true, ...signing }: VersionSigningOptions & { readonly activate?: boolean },
): Promise<ExitCode> {
  const decision = {
    ...parseVersionReference(reference),
    ...(activate
      ? ({ action: 'approve_and_activate', verb: 'approve and put into use' } as const)
      : ({ action: 'approve', verb: 'approve' } as const)),
  }
  return context.withHost((host) => decideAndTell(context, decision, { host, signing }))
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

/** `approvals share NAME@VERSION`: lets every agent see and call it, under as many signatures as approving it needs. */
export async function runApprovalsShare(
  context: CommandContext,
  reference: string,
  options: VersionSigningOptions,
): Promise<ExitCode> {
  const { prefix, printer } = context
  const { name, version } = parseVersionReference(reference)
  const decision = { name, version, action: 'share', verb: 'let every agent call' } as const
  const carriedOut = await context.withHost((host) =>
    signVersion(context, host, { ...options, ...decision }),
  )
  const missing =
    typeof carriedOut === 'object' && 'missingShares' in carriedOut
      ? carriedOut.missingShares
      : undefined
  printer.result(carriedOut, () =>
    missing === undefined
      ? `✔ Every agent may call ${name} v${version}.`
      : `● ${name} v${version} has your signature and stays with its owner until ${missing} more ${missing === 1 ? 'approver has' : 'approvers have'} signed. Each runs: ${prefix} approvals share ${name}@${version}`,
  )
  return missing === undefined ? exitCodes.ok : exitCodes.needsApproval
}
