import type { VersionSummary } from '@toolcrib/toolsmaker'
import { type ExitCode, exitCodes } from '../exit-code.ts'
import { shownLine } from './shown-text.ts'

/** How a version stands after a decision about it, for the person who made it. */
export interface StandingAfter {
  readonly text: string
  /** Not `ok` where the version does not stand as was asked. */
  readonly exitCode: ExitCode
}

/** What was asked, and what else is to be known. */
export interface StandingOptions {
  /** How this program is started, for commands that are printed. */
  readonly prefix: string
  /** Whether it was to be put into use. */
  readonly wantsUse: boolean
  /** Whether all made tools are stopped. */
  readonly isPaused: boolean
}

/** Tells how a version stands by what is on record, not by what was asked, and which command helps where the two differ. */
export function describeStandingAfter(
  { callable, name, reason, status, version }: VersionSummary,
  { isPaused, prefix, wantsUse }: StandingOptions,
): StandingAfter {
  const label = `${name} v${version}`
  const why = reason === undefined ? '' : `: ${shownLine(reason, 400)}`
  const activate = `${prefix} activate ${name}@${version}`
  if (status === 'activated' && !callable)
    return failed(`✘ ${label} is approved and does not run${why}. See: ${prefix} doctor`)
  if (status === 'activated')
    return isPaused
      ? done(`● ${label} is approved. All made tools are stopped; it runs after: ${prefix} resume`)
      : done(`✔ ${label} is approved and in use.`)
  if (status === 'approval_required')
    return {
      text: `● ${label} has your signature and waits for more approvers. Each runs: ${prefix} approvals approve ${name}@${version}`,
      exitCode: exitCodes.needsApproval,
    }
  if (status !== 'approved' && status !== 'deactivated')
    return failed(`✘ ${label} is ${status}${why}. See: ${prefix} versions ${name}`)
  return wantsUse
    ? failed(`✘ ${label} is approved and not in use${why}. To put it into use: ${activate}`)
    : done(`✔ ${label} is approved and not in use. To put it into use: ${activate}`)
}

function done(text: string): StandingAfter {
  return { text, exitCode: exitCodes.ok }
}

function failed(text: string): StandingAfter {
  return { text, exitCode: exitCodes.failure }
}
