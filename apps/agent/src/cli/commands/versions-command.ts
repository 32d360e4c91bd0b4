import { ToolError } from '@toolcrib/registry'
import { hostError } from '../../host-error.ts'
import type { ExitCode } from '../exit-code.ts'
import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import { parseVersionReference } from '../program/version-reference.ts'
import { decideAndTell } from '../review/decide-and-tell.ts'
import {
  type SigningOptions,
  type VersionSigningOptions,
  isSeen,
  signForLog,
} from '../review/sign.ts'

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
        // Whole, as `--hash` takes it.
        each.contentHash,
        each.updatedAt,
        shownLine(each.reason ?? '', 60),
      ]),
    ),
  )
}

/** `activate NAME@VERSION`: puts an approved version into use that is not, such as one of which the activation failed, or a held one. */
export async function runActivate(
  context: CommandContext,
  reference: string,
  signing: VersionSigningOptions,
): Promise<ExitCode> {
  const decision = { ...parseVersionReference(reference), ...putIntoUse }
  return context.withHost((host) => decideAndTell(context, decision, { host, signing }))
}

/** `rollback NAME [--to N]`: puts another approved version into use, under a new signature. The lifecycle says which. */
export async function runRollback(
  context: CommandContext,
  name: string,
  { to, ...signing }: VersionSigningOptions & { readonly to?: string },
): Promise<ExitCode> {
  if (to === undefined && !isSeen(context, signing))
    throw hostError('USAGE', 'Say which version you reviewed: --to VERSION --hash SHA256')
  const toVersion = to === undefined ? undefined : parseVersionReference(`${name}@${to}`).version
  return context.withHost(async (host) => {
    const target = await host.call(
      'versions.find-rollback',
      { name, ...(toVersion === undefined ? {} : { toVersion }) },
      context.signal,
    )
    if (toVersion !== undefined && target.version !== toVersion)
      throw hostError(
        'HOST_UNTRUSTED',
        `The host would go back to v${target.version}, asked for was v${toVersion}. Nothing was signed.`,
      )
    const decision = { name, version: target.version, ...putIntoUse }
    return decideAndTell(context, decision, { host, signing })
  })
}

const putIntoUse = { action: 'activate', verb: 'put into use' } as const

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

/** `pause --reason TEXT`: no call of a made tool, and none by one, begins until `resume`. */
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
      'Calls that run start no more calls of tools; they end by themselves or at their deadline.',
      ...paused.leftBehind.map(
        ({ reason: why, toolName }) =>
          `! ${toolName} may still run on n8n by itself: ${shownLine(why, 300)}. It is tried again every 30 s.`,
      ),
    ].join('\n'),
  )
}

/** `resume`: ends the pause, under a signature. */
export async function runResume(context: CommandContext, options: SigningOptions): Promise<void> {
  await context.withHost(async (host) => {
    const pause = await host.call('tools.show-pause', {}, context.signal)
    if (pause === null)
      throw new ToolError<string>('TRANSITION_REFUSED', 'The made tools are not paused.')
    const { by, place, reason, since } = pause
    const why = shownLine(`${by.kind}:${by.id}: ${reason}`, 200)
    if (!context.printer.isJson)
      context.printer.note(`The host says: paused since ${shownLine(since, 40)} by ${why}`)
    const verb = 'let all made tools run again'
    return signForLog(context, host, { ...options, action: 'resume', place, verb })
  })
  context.printer.result({ paused: false }, () => '✔ Made tools run again.')
}
