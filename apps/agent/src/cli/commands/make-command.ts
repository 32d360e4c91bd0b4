import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { ToolError } from '@toolcrib/registry'
import type { CommandContext } from '../program/command-context.ts'
import { type ExitCode, exitCodes } from '../exit-code.ts'
import { shownText } from '../review/shown-text.ts'
import { hostError } from '../../host-error.ts'
import type { OperationOutput } from '../../operations/catalogue.ts'
import { formatProblem, readProblems } from '../review/source-problems.ts'

/** The largest proposal that is read, in bytes. */
const maxProposalBytes = 4 * 1024 * 1024

type BuildOutcome = OperationOutput<'tools.make'>

/**
 * `make [FILE]`: proposes the tool that a JSON file, a TypeScript file (`.ts`) or JSON on standard input describes. The file is data:
 * it is never imported, and what TypeScript says of itself is read in the sandbox.
 */
export async function runMake(
  context: CommandContext,
  file: string | undefined,
  { name }: { readonly name?: string } = {},
): Promise<ExitCode> {
  const isSource = file?.endsWith('.ts') === true
  if (name !== undefined && !isSource)
    throw hostError('USAGE', '--name is for a TypeScript file; JSON has a field "name".')
  return isSource ? makeFromSource(context, file, name) : makeFromJson(context, file)
}

async function makeFromJson(context: CommandContext, file: string | undefined): Promise<ExitCode> {
  const intent = await readIntent(file)
  const outcome = await context.withHost((host) =>
    host.call('tools.make', { intent }, context.signal),
  )
  return report(context, outcome, {
    data: outcome,
    problems: outcome.report.checks
      .filter(({ pass }) => !pass)
      .map(({ name, message }) => `${name}: ${message}`),
  })
}

async function makeFromSource(
  context: CommandContext,
  file: string,
  name: string | undefined,
): Promise<ExitCode> {
  const source = await readProposal(file)
  const outcome = await context.withHost((host) =>
    host
      .call(
        'tools.make-file',
        { name: name ?? basename(file, '.ts'), source, file: basename(file) },
        context.signal,
      )
      .catch((error: unknown) => {
        throw withPlace(error, file)
      }),
  )
  const problems = readProblems(outcome.report.checks, file)
  return report(context, outcome, {
    data: { ...outcome, problems },
    problems: problems.map(formatProblem),
  })
}

/** A file that could not even be read as a tool, with the place where editors find it. */
function withPlace(error: unknown, file: string): unknown {
  if (!ToolError.is(error)) return error
  const { line, column } = error.data
  const where = typeof line === 'number' && typeof column === 'number' ? `:${line}:${column}` : ''
  if (where === '' && error.code !== 'TOOL_FILE_INVALID') return error
  return new ToolError<string>(error.code, `${file}${where}: ${error.message}`, {
    data: { ...error.data, file },
  })
}

function report(
  context: CommandContext,
  { spec, status, report: found, message }: BuildOutcome,
  { data, problems }: { readonly data: object; readonly problems: readonly string[] },
): ExitCode {
  context.printer.result(data, () =>
    shownText(
      [
        `${status === 'rejected' ? '✘' : status === 'activated' ? '✔' : '●'} ${spec.name} v${spec.version}  ${status}  sha256 ${spec.contentHash}`,
        ...problems.map((problem) => `    ${problem}`),
        ...found.evidence
          .filter(({ pass }) => !pass)
          .map(
            ({ input, error, actual, expected }) =>
              `    ${JSON.stringify(input)}: ${error ?? `gave ${JSON.stringify(actual)}, ${JSON.stringify(expected)} was promised`}`,
          ),
        // Of a rejection it says what was just said, and more of it.
        `    ${status === 'rejected' && problems.length > 0 ? 'Mend it and propose it again.' : message}`,
      ]
        // What a tool said when it was tried may have lines that look like these.
        .map((line) => line.replaceAll('\n', '\n    │ '))
        .join('\n'),
    ),
  )
  if (status === 'approval_required') {
    context.printer.note(`  Next: ${context.prefix} approvals approve ${spec.name}@${spec.version}`)
    return exitCodes.needsApproval
  }
  return status === 'rejected' ? exitCodes.failure : exitCodes.ok
}

async function readIntent(file = '-'): Promise<Record<string, unknown>> {
  const from = fileName(file)
  const text = await readProposal(file)
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

async function readProposal(file: string): Promise<string> {
  const from = fileName(file)
  let text: string
  try {
    text = file === '-' ? await readText(process.stdin) : await readPlainFile(file)
  } catch (cause) {
    if (ToolError.is(cause)) throw cause
    throw hostError('USAGE', `${from} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (Buffer.byteLength(text) > maxProposalBytes) throw tooLarge(from)
  return text
}

/** A pipe or a device may never end, and never open; its size is known of a plain file alone. */
async function readPlainFile(file: string): Promise<string> {
  // Opening a pipe that nobody writes to would wait, and not even Ctrl-C ends that.
  const opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await opened.stat()
    if (!stats.isFile())
      throw hostError(
        'USAGE',
        `${file} is no plain file. Copy what it gives into one, or send JSON to standard input: make -`,
      )
    if (stats.size > maxProposalBytes) throw tooLarge(file)
    return await opened.readFile('utf8')
  } finally {
    await opened.close()
  }
}

function tooLarge(from: string): Error {
  return hostError('USAGE', `${from} is larger than ${maxProposalBytes} bytes.`)
}

function fileName(file: string): string {
  return file === '-' ? 'Standard input' : file
}
