import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import type { CommandContext } from '../cli/command-context.ts'
import { type ExitCode, exitCodes } from '../cli/exit-code.ts'
import { shownText } from '../cli/shown-text.ts'
import { hostError } from '../host-error.ts'

/** The largest proposal that is read, in bytes. */
const maxProposalBytes = 4 * 1024 * 1024

/** `make [FILE]`: proposes the tool that a JSON file, or standard input, describes. The file is data; it is never imported. */
export async function runMake(
  context: CommandContext,
  file: string | undefined,
): Promise<ExitCode> {
  const intent = await readIntent(file)
  const outcome = await context.withHost((host) =>
    host.call('tools.make', { intent }, context.signal),
  )
  const { spec, status, report, message } = outcome
  context.printer.result(outcome, () =>
    shownText(
      [
        `${status === 'rejected' ? '✘' : status === 'activated' ? '✔' : '●'} ${spec.name} v${spec.version}  ${status}  sha256 ${spec.contentHash.slice(0, 12)}…`,
        ...report.checks
          .filter(({ pass }) => !pass)
          .map(({ name, message: found }) => `    ${name}: ${found}`),
        ...report.evidence
          .filter(({ pass }) => !pass)
          .map(
            ({ input, error, actual, expected }) =>
              `    ${JSON.stringify(input)}: ${error ?? `gave ${JSON.stringify(actual)}, ${JSON.stringify(expected)} was promised`}`,
          ),
        `    ${message}`,
      ].join('\n'),
    ),
  )
  if (status === 'approval_required') {
    context.printer.note(`  Next: ${context.prefix} approvals approve ${spec.name}@${spec.version}`)
    return exitCodes.needsApproval
  }
  return status === 'rejected' ? exitCodes.failure : exitCodes.ok
}

async function readIntent(file = '-'): Promise<Record<string, unknown>> {
  const from = file === '-' ? 'Standard input' : file
  let text: string
  try {
    text = file === '-' ? await readText(process.stdin) : await readFile(file, 'utf8')
  } catch (cause) {
    throw hostError('USAGE', `${from} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (Buffer.byteLength(text) > maxProposalBytes)
    throw hostError('USAGE', `${from} is larger than ${maxProposalBytes} bytes.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw hostError('USAGE', `${from} is not JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw hostError(
      'USAGE',
      `${from} must hold one JSON object: name, purpose, inputs, definition.`,
    )
  return value as Record<string, unknown>
}
