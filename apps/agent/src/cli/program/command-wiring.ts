import type { Command } from 'commander'
import { type CommandContext, contextOf } from './command-context.ts'
import type { ExitCode } from '../exit-code.ts'

/** What a command does: its context, then its arguments, then its options. Its answer is the exit code. */
type CommandAction = (
  context: CommandContext,
  // oxlint-disable-next-line typescript/no-explicit-any -- commander hands over what its declarations say, which types cannot follow
  ...parameters: any[]
) => Promise<ExitCode | void>

/** How commands are tied to the program. */
export interface CommandWiring {
  /** Makes a commander action of a command, whose code is loaded only when it is used. */
  act(this: void, load: () => Promise<CommandAction>): (...parameters: unknown[]) => Promise<void>
  /** Examples for the head of a command's help, each as it would be typed here. */
  examples(this: void, lines: readonly string[]): string
}

/** The option of every command that signs. */
export const passphraseStdinOption = [
  '--passphrase-stdin',
  'read the passphrase from standard input instead of asking',
] as const

/** The option of every command that signs something about a version. */
export const hashOption = [
  '--hash <sha256>',
  'the whole hash that you reviewed; needed wherever the review is not on a screen',
] as const

/** Ties commands to one run of the program. */
export function createWiring({
  prefix,
  signal,
  conclude,
}: {
  readonly prefix: string
  readonly signal: AbortSignal
  /** Told of the exit code that the command ended with. */
  readonly conclude: (code: ExitCode | void) => void
}): CommandWiring {
  return {
    act:
      (load) =>
      async (...parameters) => {
        // commander puts the command itself last.
        const command = parameters.at(-1) as Command
        const run = await load()
        conclude(await run(contextOf(command, signal), ...parameters.slice(0, -1)))
      },
    examples: (lines) => `Examples:\n${lines.map((line) => `  ${prefix} ${line}`).join('\n')}\n`,
  }
}
