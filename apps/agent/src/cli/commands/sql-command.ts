import { existsSync } from 'node:fs'
import { openTrustDirectory } from '@toolcrib/toolsmaker'
import { createAgentDatabase } from '@toolcrib/tools/sql'
import {
  agentDatabasePath,
  databaseExists,
  saveAgentDatabase,
} from '../../tools/built-in/agent-database.ts'
import type { CommandContext } from '../program/command-context.ts'
import { shownText } from '../review/shown-text.ts'
import { hostError } from '../../host-error.ts'

/** What `sql create-database` takes. */
export interface CreateDatabaseOptions {
  /** The name of an environment variable, or a connection string. */
  readonly administrator: string
  readonly database?: string
  readonly role?: string
  /** Databases to which the agent's role shall not even connect. */
  readonly protect?: readonly string[]
}

/** `sql create-database`: the agent's own database and role in PostgreSQL; the password is printed nowhere. */
export async function runSqlCreateDatabase(
  context: CommandContext,
  options: CreateDatabaseOptions,
): Promise<void> {
  const { folder, printer, prefix } = context
  const administrator = readAdministrator(options.administrator)
  const path = agentDatabasePath(folder.trust)
  // Before anything is made in the server.
  await openTrustDirectory(folder.trust, { storeDirectory: folder.store })
  if (existsSync(path)) throw databaseExists(path)
  const { database = 'toolcrib_agent', role = 'toolcrib_agent' } = options
  const { protect = [] } = options
  const made = await createAgentDatabase({ administrator, database, role, protect })
  const { connectionString, created, warnings } = made
  await saveAgentDatabase(folder.trust, { connectionString, createdAt: new Date().toISOString() })
  printer.result({ database, role, protect, created, warnings, keptIn: path }, () =>
    shownText(
      [
        `✔ Database ${database} ${created.database ? 'is made' : 'was there already'}`,
        `✔ Login role ${role} without privileges ${created.roles.includes(role) ? 'is made' : 'was there already; its password is new, so other hosts that use it need the new address'}`,
        ...protect.map((name) => `✔ Only roles with a right of their own connect to ${name}`),
        ...warnings.map((warning) => `! ${warning}`),
        `The address with its password is in ${path}, readable for you alone.`,
        'The sql tool uses it from the next start of the host on.',
      ].join('\n'),
    ),
  )
  printer.note(`  Next: ${prefix} doctor`)
}

function readAdministrator(text: string): string {
  if (isAddress(text)) return text
  // What is no name of a variable may be a mistyped address, with its password; it is not shown.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text))
    throw hostError(
      'USAGE',
      '--administrator must be the name of an environment variable, or an address that begins with postgres://.',
    )
  const address = process.env[text]
  if (address !== undefined && isAddress(address)) return address
  throw hostError(
    'USAGE',
    address === undefined
      ? `The environment has no variable ${text}. Set it to the address of an administrator, such as postgres://postgres:password@localhost:5432/postgres.`
      : `The variable ${text} holds no address that begins with postgres://.`,
  )
}

function isAddress(text: string): boolean {
  return /^postgres(ql)?:\/\/\S+$/.test(text)
}
