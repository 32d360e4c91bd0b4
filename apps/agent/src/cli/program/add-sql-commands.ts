import type { Command } from 'commander'
import type { CommandWiring } from './command-wiring.ts'

/** Adds sql create-database. */
export function addSqlCommands(program: Command, { act, examples }: CommandWiring): void {
  program
    .command('sql')
    .description('the database of the sql tool')
    .command('create-database')
    .description(
      'make a PostgreSQL database and an unprivileged role for the sql tool, and keep the address in the trust folder',
    )
    .requiredOption(
      '--administrator <variable or url>',
      'the environment variable that holds the address of a role that may create databases and roles; or the address itself, which other users of this machine can then see',
    )
    .option('--database <name>', 'its name (default: toolcrib_agent)')
    .option('--role <name>', 'the name of the role (default: toolcrib_agent)')
    .option(
      '--protect <database...>',
      "databases to which only roles with a right of their own shall connect, such as the host's; owners and superusers keep theirs, others need GRANT CONNECT",
    )
    .addHelpText(
      'before',
      examples([
        'sql create-database --administrator ADMIN_DATABASE_URL',
        'sql create-database --administrator ADMIN_DATABASE_URL --database agent_1 --role agent_1',
        'sql create-database --administrator ADMIN_DATABASE_URL --protect toolcrib shop',
      ]),
    )
    .action(act(async () => (await import('../commands/sql-command.ts')).runSqlCreateDatabase))
}
