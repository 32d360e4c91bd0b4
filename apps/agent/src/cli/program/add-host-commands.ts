import type { Command } from 'commander'
import type { CommandWiring } from './command-wiring.ts'

/** Adds start, make and doctor. */
export function addHostCommands(program: Command, { act, examples }: CommandWiring): void {
  program
    .command('start')
    .description('run the host; on a new data folder it first shows the main job and the gate')
    .option('--once', 'stop after that')
    .addHelpText('before', examples(['start', 'start --once', 'start --data /var/lib/toolcrib']))
    .action(act(async () => (await import('../commands/start-command.ts')).runStart))
  program
    .command('make')
    .argument(
      '[file]',
      'a JSON file with name, purpose, inputs and definition, or a TypeScript file (.ts) with a code tool; - or nothing for JSON on standard input',
    )
    .option('--name <name>', 'name of the tool in a TypeScript file (default: that of the file)')
    .description('propose a tool; the file is data and is never imported')
    .addHelpText('before', examples(['make tool.json', 'make how_warm.ts', 'make - < tool.json']))
    .action(act(async () => (await import('../commands/make-command.ts')).runMake))
  program
    .command('doctor')
    .description('say how this set-up stands, what it protects from and what it does not')
    .addHelpText('before', examples(['doctor', 'doctor --json']))
    .action(act(async () => (await import('../commands/doctor-command.ts')).runDoctor))
}
