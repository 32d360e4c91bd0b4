/** What the process tells the shell. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  needsApproval: 3,
  refused: 4,
  interrupted: 130,
} as const

/** An exit code of the command line. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Codes that mean: somebody or something said no, and trying again will not help. */
const refusals: ReadonlySet<string> = new Set([
  'TOOL_REVOKED',
  'TOOL_HELD',
  'TOOL_TAMPERED',
  'TOOLS_PAUSED',
  'POLICY_VIOLATION',
  'TOOL_OFF',
  'SIGNATURE_INVALID',
  'PASSPHRASE_WRONG',
  'DECISION_REFUSED',
  'FOUR_EYES_REQUIRED',
])

/** Codes that mean: the caller wrote something that cannot be understood. */
const misuses: ReadonlySet<string> = new Set([
  'USAGE',
  'REQUEST_INVALID',
  'commander.unknownCommand',
])

/** The exit code for an error's code. */
export function exitCodeFor(code: string): ExitCode {
  if (refusals.has(code)) return exitCodes.refused
  if (misuses.has(code) || code.startsWith('commander.')) return exitCodes.usage
  if (code === 'INTERRUPTED') return exitCodes.interrupted
  return exitCodes.failure
}
