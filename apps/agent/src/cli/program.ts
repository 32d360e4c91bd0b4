import { Command, Option } from 'commander'
import {
  runApprovalsApprove,
  runApprovalsList,
  runApprovalsReject,
  runApprovalsShow,
} from '../commands/approvals-command.ts'
import { runApproverInit } from '../commands/approver-command.ts'
import { runAuditVerify } from '../commands/audit-command.ts'
import { runDoctor } from '../commands/doctor-command.ts'
import { runLog } from '../commands/log-command.ts'
import { runMake } from '../commands/make-command.ts'
import { runStart } from '../commands/start-command.ts'
import { runToolsCall, runToolsList, runToolsShow } from '../commands/tools-command.ts'
import {
  runPause,
  runResume,
  runRevoke,
  runRollback,
  runVersions,
} from '../commands/versions-command.ts'
import { type CommandContext, contextOf } from './command-context.ts'
import type { ExitCode } from './exit-code.ts'

/** Told of the exit code that a command ended with. */
export type Conclude = (code: ExitCode | void) => void

const passphraseStdin = [
  '--passphrase-stdin',
  'read the passphrase from standard input instead of asking',
] as const

/** The whole command line. `signal` aborts on Ctrl-C. */
export function createProgram({
  version,
  prefix,
  signal,
  conclude,
}: {
  readonly version: string
  readonly prefix: string
  readonly signal: AbortSignal
  readonly conclude: Conclude
}): Command {
  const program = new Command('toolcrib')
  const act =
    <Parameters extends unknown[]>(
      run: (context: CommandContext, ...parameters: Parameters) => Promise<ExitCode | void>,
    ) =>
    async (...all: unknown[]): Promise<void> => {
      const command = all.at(-1) as Command
      conclude(await run(contextOf(command, signal), ...(all.slice(0, -1) as Parameters)))
    }
  const examples = (lines: readonly string[]): string =>
    `Examples:\n${lines.map((line) => `  ${prefix} ${line}`).join('\n')}\n`
  program
    .version(version)
    .description(
      'An agent makes its own tools while it runs; a person stays in charge of what they may do.',
    )
    .option(
      '--data <folder>',
      'where everything is kept (environment TOOLCRIB_DATA, else .toolcrib)',
    )
    .option(
      '--trust <folder>',
      'where approvers and policy are kept (environment TOOLCRIB_TRUST, else trust in the data folder)',
    )
    .addOption(
      new Option(
        '--database-url <url>',
        'PostgreSQL for the call log (environment DATABASE_URL, else embedded)',
      ),
    )
    .option('--json', 'one JSON envelope on standard output: { ok, data } or { ok, error }')
    .addHelpText('beforeAll', '')
    .addHelpText(
      'before',
      examples([
        'start',
        'tools list',
        'tools call shipping_cost \'{"weight_kg":12}\'',
        'approvals list',
        'log --follow',
      ]),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failure, 2 usage, 3 needs approval, 4 refused, 130 interrupted',
    )
    .showHelpAfterError(`(${prefix} --help)`)
  addStart()
  addTools()
  addApprovals()
  addVersions()
  addRecord()
  return program

  function addStart(): void {
    program
      .command('start')
      .description('run the host; on a new data folder it first shows the main job and the gate')
      .option('--once', 'stop after that')
      .addHelpText('before', examples(['start', 'start --once', 'start --data /var/lib/toolcrib']))
      .action(act(runStart))
    program
      .command('make')
      .argument(
        '[file]',
        'a JSON file with name, purpose, inputs and definition; - or nothing for standard input',
      )
      .description('propose a tool; the file is data and is never imported')
      .addHelpText('before', examples(['make tool.json', 'make - < tool.json']))
      .action(act(runMake))
    program
      .command('doctor')
      .description('say how this set-up stands, what it protects from and what it does not')
      .addHelpText('before', examples(['doctor', 'doctor --json']))
      .action(act(runDoctor))
  }

  function addTools(): void {
    const tools = program.command('tools').description('list, show and call tools')
    tools
      .command('list')
      .description('tools that can be called')
      .addHelpText('before', examples(['tools list']))
      .action(act(runToolsList))
    tools
      .command('show')
      .argument('<name>')
      .description('schemas, source and versions of a tool')
      .addHelpText('before', examples(['tools show shipping_cost']))
      .action(act(runToolsShow))
    tools
      .command('call')
      .argument('<name>')
      .argument('[input]', 'JSON; - for standard input; nothing for {}')
      .option('--timeout <ms>', 'how long the call may take, in milliseconds')
      .description('call a tool; the call is logged')
      .addHelpText('before', examples(['tools call shipping_cost \'{"weight_kg":12}\'']))
      .action(
        act(
          (
            context: CommandContext,
            name: string,
            input: string | undefined,
            options: { timeout?: string },
          ) => runToolsCall(context, name, { input, ...options }),
        ),
      )
  }

  function addApprovals(): void {
    program
      .command('approver')
      .description('who may sign decisions')
      .command('init')
      .description('make a key pair for a person; the passphrase is asked for at each decision')
      .option('--id <id>', 'name of the approver (default: your user name)')
      .option(...passphraseStdin)
      .addHelpText('before', examples(['approver init', 'approver init --id alice']))
      .action(act(runApproverInit))
    const approvals = program.command('approvals').description('what waits for a person')
    approvals
      .command('list')
      .description('what waits, oldest first')
      .addHelpText('before', examples(['approvals list']))
      .action(act(runApprovalsList))
    approvals
      .command('show')
      .argument('<name@version>')
      .description('everything about a version: powers, steps, changes, checks, evidence')
      .addHelpText('before', examples(['approvals show shipping_cost@2']))
      .action(act(runApprovalsShow))
    approvals
      .command('approve')
      .argument('<name@version>')
      .option(
        '--hash <sha256>',
        'the hash that you reviewed (at least 8 digits); needed with --passphrase-stdin',
      )
      .option('--approver <id>', 'who signs (default: the only approver)')
      .option('--no-activate', 'approve only; put it into use later')
      .option(...passphraseStdin)
      .description('show a version, then sign exactly its hash and put it into use')
      .addHelpText('before', examples(['approvals approve shipping_cost@2']))
      .action(act(runApprovalsApprove))
    approvals
      .command('reject')
      .argument('<name@version>')
      .requiredOption('--reason <text>', 'why; it goes back to the agent')
      .description('refuse a version')
      .addHelpText(
        'before',
        examples(['approvals reject shipping_cost@2 --reason "The discount is too high"']),
      )
      .action(act(runApprovalsReject))
  }

  function addVersions(): void {
    program
      .command('versions')
      .argument('[name]')
      .description('every version of a tool, or of all')
      .addHelpText('before', examples(['versions', 'versions shipping_cost']))
      .action(act(runVersions))
    program
      .command('rollback')
      .argument('<name>')
      .option(
        '--to <version>',
        'which one (default: the newest approved one before the one in use)',
      )
      .option('--approver <id>', 'who signs (default: the only approver)')
      .option(...passphraseStdin)
      .description('put an older approved version into use again')
      .addHelpText('before', examples(['rollback shipping_cost', 'rollback shipping_cost --to 1']))
      .action(act(runRollback))
    program
      .command('revoke')
      .argument('<name@version>')
      .requiredOption('--reason <text>', 'why; it goes into the record')
      .description('take a version out of use, at once and for ever')
      .addHelpText('before', examples(['revoke shipping_cost@2 --reason "Wrong prices"']))
      .action(act(runRevoke))
    program
      .command('pause')
      .requiredOption('--reason <text>', 'why; it goes into the record')
      .description('stop all made tools at once')
      .addHelpText('before', examples(['pause --reason "Looking into wrong invoices"']))
      .action(act(runPause))
    program
      .command('resume')
      .option('--approver <id>', 'who signs (default: the only approver)')
      .option(...passphraseStdin)
      .description('let made tools run again')
      .addHelpText('before', examples(['resume']))
      .action(act(runResume))
  }

  function addRecord(): void {
    program
      .command('log')
      .description('what was called, by whom, with what outcome')
      .option('--tool <name>', 'calls of one tool')
      .option(
        '--status <status>',
        'started, completed, failed, timed_out, cancelled or interrupted',
      )
      .option('--since <time>', 'such as 15m, 2h, 7d or an ISO 8601 time')
      .option('--until <time>', 'such as 15m, 2h, 7d or an ISO 8601 time')
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
          'log --stats',
        ]),
      )
      .action(act(runLog))
    program
      .command('audit')
      .description('the record of the lifecycle')
      .command('verify')
      .description('read the whole record again and check every hash')
      .addHelpText('before', examples(['audit verify']))
      .action(act(runAuditVerify))
  }
}
