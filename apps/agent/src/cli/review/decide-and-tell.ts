import { ToolError } from '@toolcrib/registry'
import type { VersionSummary } from '@toolcrib/toolsmaker'
import type { Host } from '../../host/host.ts'
import type { ExitCode } from '../exit-code.ts'
import type { CommandContext } from '../program/command-context.ts'
import type { VersionReference } from '../program/version-reference.ts'
import { type VersionSigningOptions, signVersion } from './sign.ts'
import { describeStandingAfter } from './standing-after.ts'

/** A decision about one version. */
export interface VersionDecision extends VersionReference {
  readonly action: 'approve' | 'approve_and_activate' | 'activate'
  /** What is signed, for the prompt, such as `approve`. */
  readonly verb: string
}

/**
 * Has a decision about a version signed and carried out, and tells how the version stands then. What was asked says nothing of
 * that: an activation may fail after the approval is on record, and a signature may be one of several that are needed.
 */
export async function decideAndTell(
  context: CommandContext,
  decision: VersionDecision,
  { host, signing }: { readonly host: Host; readonly signing: VersionSigningOptions },
): Promise<ExitCode> {
  const { prefix, printer, signal } = context
  const { action, name, version } = decision
  const find = async (): Promise<VersionSummary | undefined> => {
    const versions = await host.call('versions.list', { name }, signal)
    return versions.find((each) => each.version === version)
  }
  try {
    await signVersion(context, host, { ...signing, ...decision })
  } catch (error) {
    const isNotInUse = ToolError.is(error, 'ACTIVATION_FAILED') || ToolError.is(error, 'TOOL_HELD')
    const status = isNotInUse ? (await find())?.status : undefined
    if (!isNotInUse || (status !== 'approved' && status !== 'deactivated')) throw error
    throw new ToolError<string>(
      error.code,
      `${error.message} ${name} v${version} is approved and not in use. To put it into use once that is mended: ${prefix} activate ${name}@${version}`,
      { data: error.data, cause: error },
    )
  }
  const summary = await find()
  if (summary === undefined)
    throw new ToolError<string>(
      'VERSION_NOT_FOUND',
      `There is no version ${version} of "${name}" any more.`,
    )
  const { status } = await host.call('health', {}, signal)
  const { exitCode, text } = describeStandingAfter(summary, {
    prefix,
    wantsUse: action !== 'approve',
    isPaused: status === 'paused',
  })
  printer.result(summary, () => text)
  return exitCode
}
