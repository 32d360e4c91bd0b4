import type { Command } from 'commander'
import { type CommandWiring, hashOption, passphraseStdinOption } from './command-wiring.ts'

/** Adds approver init, approvals list, show, approve and reject. */
export function addApprovalCommands(program: Command, { act, examples }: CommandWiring): void {
  program
    .command('approver')
    .description('who may sign decisions')
    .command('init')
    .description('make a key pair for a person; the passphrase is asked for at each decision')
    .option('--id <id>', 'name of the approver (default: your user name)')
    .option(
      '--principal <kind:id...>',
      'who else proposes for this person, such as agent:alice-bot; with four eyes somebody else approves that',
    )
    .option(...passphraseStdinOption)
    .addHelpText('before', examples(['approver init', 'approver init --id alice']))
    .action(act(async () => (await import('../commands/approver-command.ts')).runApproverInit))
  const approvals = program.command('approvals').description('what waits for a person')
  approvals
    .command('list')
    .description('what waits, oldest first')
    .addHelpText('before', examples(['approvals list']))
    .action(act(async () => (await import('../commands/approvals-command.ts')).runApprovalsList))
  approvals
    .command('show')
    .argument('<name@version>')
    .option(
      '--source',
      'also the definition where the steps tell all of it, such as the workflow of an n8n tool',
    )
    .description('everything about a version: powers, steps, changes, checks, evidence')
    .addHelpText(
      'before',
      examples(['approvals show shipping_cost@2', 'approvals show exchange_rate@2 --source']),
    )
    .action(act(async () => (await import('../commands/approvals-command.ts')).runApprovalsShow))
  approvals
    .command('approve')
    .argument('<name@version>')
    .option(...hashOption)
    .option('--approver <id>', 'who signs (default: the only approver)')
    .option('--no-activate', 'approve only; put it into use later')
    .option(...passphraseStdinOption)
    .description('show a version, then sign exactly its hash and put it into use')
    .addHelpText('before', examples(['approvals approve shipping_cost@2']))
    .action(act(async () => (await import('../commands/approvals-command.ts')).runApprovalsApprove))
  approvals
    .command('validate')
    .argument('<name@version>')
    .description('check and try a version again whose review is not what is on record')
    .addHelpText('before', examples(['approvals validate shipping_cost@2']))
    .action(
      act(async () => (await import('../commands/approvals-command.ts')).runApprovalsValidate),
    )
  approvals
    .command('reject')
    .argument('<name@version>')
    .requiredOption('--reason <text>', 'why; it goes back to the agent')
    .description('refuse a version')
    .addHelpText(
      'before',
      examples(['approvals reject shipping_cost@2 --reason "The discount is too high"']),
    )
    .action(act(async () => (await import('../commands/approvals-command.ts')).runApprovalsReject))
  approvals
    .command('share')
    .argument('<name@version>')
    .option(...hashOption)
    .option('--approver <id>', 'who signs (default: the only approver)')
    .option(...passphraseStdinOption)
    .description('show a version, then sign that every agent may see and call it')
    .addHelpText('before', examples(['approvals share shipping_cost@1']))
    .action(act(async () => (await import('../commands/approvals-command.ts')).runApprovalsShare))
}
