import type { Command } from 'commander'
import { type CommandWiring, passphraseStdinOption } from './command-wiring.ts'

/** Adds log, audit list, audit verify and audit accept. */
export function addRecordCommands(program: Command, { act, examples }: CommandWiring): void {
  program
    .command('log')
    .description('what was called, by whom, with what outcome')
    .option('--tool <name>', 'calls of one tool')
    .option('--status <status>', 'started, completed, failed, timed_out, cancelled or interrupted')
    .option('--since <time>', 'such as 15m, 2h, 7d or an ISO 8601 time')
    .option('--until <time>', 'such as 15m, 2h, 7d or an ISO 8601 time')
    .option('--before <time>', 'open the page at this time: the calls that started before it')
    .option('--trace <id>', 'calls of one trace')
    .option('--parent <callId>', 'calls that one call made')
    .option('--session <id>', 'calls of one session')
    .option('--limit <count>', 'at most so many, up to 1000 (default: 100)')
    .option('--cursor <cursor>', 'the next page')
    .option('--call <callId>', 'one call with its whole output')
    .option('--follow', 'go on printing calls as they start and end')
    .option('--stats', 'counts and percentiles per tool')
    .addHelpText(
      'before',
      examples([
        'log',
        'log --follow',
        'log --tool shipping_cost --status failed --since 2h',
        'log --before 2026-01-31T12:00:00Z',
        'log --stats --since 1d',
      ]),
    )
    .action(act(async () => (await import('../commands/log-command.ts')).runLog))
  const audit = program.command('audit').description('the record of the lifecycle')
  audit
    .command('list')
    .description('the latest events: proposals, decisions, what policies refused')
    .option('--tool <name>', 'events about one tool')
    .option('--type <type>', 'such as tool_policy_blocked or tool_approved')
    .option('--limit <count>', 'at most so many, up to 10000 (default: 100)')
    .addHelpText('before', examples(['audit list', 'audit list --type tool_policy_blocked']))
    .action(act(async () => (await import('../commands/audit-command.ts')).runAuditList))
  audit
    .command('verify')
    .description('read the whole record again and check every hash')
    .addHelpText('before', examples(['audit verify']))
    .action(act(async () => (await import('../commands/audit-command.ts')).runAuditVerify))
  audit
    .command('accept')
    .description('take a log that the host does not know for the right one, under a signature')
    .option('--approver <id>', 'who signs, where there are several')
    .option(...passphraseStdinOption)
    .addHelpText('before', examples(['audit accept']))
    .action(act(async () => (await import('../commands/audit-accept.ts')).runAuditAccept))
}
