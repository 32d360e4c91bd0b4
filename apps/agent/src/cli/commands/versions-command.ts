import { ToolError } from '@toolcrib/registry'
import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import { parseVersionReference } from '../program/version-reference.ts'
import { type SigningOptions, signAndCarryOut } from '../review/sign.ts'

/** `versions [NAME]`. */
export async function runVersions(
  context: CommandContext,
  name: string | undefined,
): Promise<void> {
  const versions = await context.withHost((host) =>
    host.call('versions.list', name === undefined ? {} : { name }, context.signal),
  )
  if (name !== undefined && versions.length === 0)
    throw new ToolError('TOOL_NOT_FOUND', `No version of "${name}" was ever proposed.`)
  context.printer.result(versions, () =>
    formatTable(
      ['VERSION', 'STATUS', 'KIND', 'OWNER', 'SHA256', 'SINCE', 'WHY'],
      versions.map((each) => [
        `${each.name}@${each.version}`,
        each.status,
        each.kind,
        shownLine(each.owner, 20),
        each.contentHash.slice(0, 12),
        each.updatedAt,
        shownLine(each.reason ?? '', 60),
      ]),
    ),
  )
}

/** `rollback NAME [--to N]`: puts another approved version into use, under a new signature. The lifecycle says which. */
export async function runRollback(
  context: CommandContext,
  name: string,
  options: SigningOptions & { readonly to?: string },
): Promise<void> {
  const toVersion =
    options.to === undefined ? undefined : parseVersionReference(`${name}@${options.to}`).version
  const summary = await context.withHost(async (host) => {
    const { contentHash, version } = await host.call(
      'versions.find-rollback',
      { name, ...(toVersion === undefined ? {} : { toVersion }) },
      context.signal,
    )
    await signAndCarryOut(context, host, {
      ...options,
      request: (approver) => ({ action: 'activate', name, version, approver, contentHash }),
      what: `put ${name} v${version} sha256 ${contentHash.slice(0, 16)}… into use`,
    })
    return { name, version }
  })
  context.printer.result(summary, () => `✔ ${name} v${summary.version} is in use.`)
}

/** `revoke NAME@VERSION --reason TEXT`: out of use at once and for ever. */
export async function runRevoke(
  context: CommandContext,
  reference: string,
  { reason }: { readonly reason: string },
): Promise<void> {
  const { name, version } = parseVersionReference(reference)
  const revoked = await context.withHost((host) =>
    host.call('versions.revoke', { name, version, reason }, context.signal),
  )
  context.printer.result(
    revoked,
    () => `✔ ${name} v${version} is revoked and will never run again.`,
  )
}

/** `pause --reason TEXT`: no made tool runs until `resume`. */
export async function runPause(
  context: CommandContext,
  { reason }: { readonly reason: string },
): Promise<void> {
  const paused = await context.withHost((host) =>
    host.call('tools.pause', { reason }, context.signal),
  )
  context.printer.result(paused, () =>
    [
      `✔ All made tools are stopped. To go on: ${context.prefix} resume`,
      ...paused.leftBehind.map(
        ({ reason: why, toolName }) =>
          `! ${toolName} may still run on n8n by itself: ${shownLine(why, 300)}. It is tried again every 30 s.`,
      ),
    ].join('\n'),
  )
}

/** `resume`: ends the pause, under a signature. */
export async function runResume(context: CommandContext, options: SigningOptions): Promise<void> {
  await context.withHost((host) =>
    signAndCarryOut(context, host, {
      ...options,
      request: (approver) => ({ action: 'resume', approver }),
      what: 'let all made tools run again',
    }),
  )
  context.printer.result({ paused: false }, () => '✔ Made tools run again.')
}
