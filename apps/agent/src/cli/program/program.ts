import { Command } from 'commander'
import { addApprovalCommands } from './add-approval-commands.ts'
import { addHostCommands } from './add-host-commands.ts'
import { addRecordCommands } from './add-record-commands.ts'
import { addSqlCommands } from './add-sql-commands.ts'
import { addToolCommands } from './add-tool-commands.ts'
import { addVersionCommands } from './add-version-commands.ts'
import type { CommandWiring } from './command-wiring.ts'
import { shownText } from '../review/shown-text.ts'

/** The whole command line. */
export function createProgram(
  { version, prefix }: { readonly version: string; readonly prefix: string },
  wiring: CommandWiring,
): Command {
  const program = new Command('toolcrib')
    .configureOutput({ writeErr: (text) => process.stderr.write(shownText(text)) })
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
    .option(
      '--workspace <folder>',
      "the folder for the agent's files (environment TOOLCRIB_WORKSPACE, else workspace in the data folder)",
    )
    .option(
      '--database-url <url>',
      'PostgreSQL for the call log (environment DATABASE_URL, else embedded)',
    )
    .option('--json', 'one JSON envelope on standard output: { ok, data } or { ok, error }')
    .addHelpText(
      'before',
      wiring.examples([
        'start',
        'tools list',
        `tools call shipping_cost '{"weight_kg":12}'`,
        'tools policy',
        'approvals list',
        'log --follow',
      ]),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failure, 2 usage, 3 needs approval, 4 refused, 130 interrupted',
    )
    .showHelpAfterError(`(${prefix} --help)`)
  addHostCommands(program, wiring)
  addToolCommands(program, wiring)
  addSqlCommands(program, wiring)
  addApprovalCommands(program, wiring)
  addVersionCommands(program, wiring)
  addRecordCommands(program, wiring)
  return program
}
