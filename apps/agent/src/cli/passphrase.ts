import { isCancel, password } from '@clack/prompts'
import { hostError } from '../host-error.ts'
import { leastColumns } from './printer.ts'

/** Where a passphrase may come from: a hidden prompt, or standard input. Never a flag or the environment. */
export interface PassphraseSource {
  /** Read one line from standard input instead of asking. */
  readonly fromStdin: boolean
  readonly input?: NodeJS.ReadStream
  /** Where the prompt, and what is signed, stand. */
  readonly output?: NodeJS.WriteStream
}

/**
 * Asks for a passphrase.
 *
 * @throws {ToolError} USAGE when there is no terminal to ask on, it is too narrow, or the answer is empty.
 * @throws {ToolError} INTERRUPTED when the person gives up.
 */
export async function askPassphrase(message: string, source: PassphraseSource): Promise<string> {
  const { fromStdin, input = process.stdin, output = process.stderr } = source
  if (fromStdin) {
    if (input.isTTY)
      throw hostError(
        'USAGE',
        'On a terminal the passphrase would be seen. Leave out --passphrase-stdin and be asked for it.',
      )
    const passphrase = (await readFirstLine(input)).replace(/\r$/, '')
    if (passphrase === '') throw hostError('USAGE', 'No passphrase came on standard input.')
    return passphrase
  }
  if (!input.isTTY)
    throw hostError(
      'USAGE',
      'There is no terminal to ask for the passphrase on. Run this in a terminal, or pass it on standard input with --passphrase-stdin.',
    )
  if (!output.isTTY)
    throw hostError(
      'USAGE',
      'Standard error is no terminal, so nobody would see what is signed. Leave out what redirects it.',
    )
  if (output.columns > 0 && output.columns < leastColumns)
    throw hostError(
      'USAGE',
      `The terminal has ${output.columns} columns. What is signed needs at least ${leastColumns}: make it wider.`,
    )
  const answer = await password({ message, output })
  if (isCancel(answer)) throw hostError('INTERRUPTED', 'Nothing was decided.')
  if (answer === '' || answer === undefined) throw hostError('USAGE', 'The passphrase is empty.')
  return answer
}

async function readFirstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk)
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
    if (text.length > 10_000)
      throw hostError('USAGE', 'The passphrase on standard input is longer than 10,000 characters.')
  }
  return text
}
