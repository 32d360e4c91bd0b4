import type { Command } from 'commander'
import { type CommandWiring, hashOption, passphraseStdinOption } from './command-wiring.ts'

/** Adds versions, activate, rollback, revoke, pause and resume. */
export function addVersionCommands(program: Command, { act, examples }: CommandWiring): void {
  program
    .command('versions')
    .argument('[name]')
    .description('every version of a tool, or of all')
    .addHelpText('before', examples(['versions', 'versions shipping_cost']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runVersions))
  program
    .command('activate')
    .argument('<name@version>')
    .option(...hashOption)
    .option('--approver <id>', 'who signs (default: the only approver)')
    .option(...passphraseStdinOption)
    .description('show an approved version, then sign that it goes into use')
    .addHelpText('before', examples(['activate shipping_cost@2']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runActivate))
  program
    .command('rollback')
    .argument('<name>')
    .option(
      '--to <version>',
      'which one (default: the one that was in use before); needed where --hash is',
    )
    .option(...hashOption)
    .option('--approver <id>', 'who signs (default: the only approver)')
    .option(...passphraseStdinOption)
    .description('show an approved version, then sign that it goes into use again')
    .addHelpText('before', examples(['rollback shipping_cost', 'rollback shipping_cost --to 1']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runRollback))
  program
    .command('revoke')
    .argument('<name@version>')
    .requiredOption('--reason <text>', 'why; it goes into the record')
    .description('take a version out of use, at once and for ever')
    .addHelpText('before', examples(['revoke shipping_cost@2 --reason "Wrong prices"']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runRevoke))
  program
    .command('pause')
    .requiredOption('--reason <text>', 'why; it goes into the record')
    .description('stop all made tools at once')
    .addHelpText('before', examples(['pause --reason "Looking into wrong invoices"']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runPause))
  program
    .command('resume')
    .option('--approver <id>', 'who signs (default: the only approver)')
    .option(...passphraseStdinOption)
    .description('let made tools run again')
    .addHelpText('before', examples(['resume']))
    .action(act(async () => (await import('../commands/versions-command.ts')).runResume))
}
