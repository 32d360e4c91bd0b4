import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { findOnServer, requireAgentsOwn } from './agent-database-found.ts'
import { agentDatabaseStatements, serverStatements } from './agent-database-statements.ts'
import { builtInToolError } from '../error-catalogue.ts'
import { defaultHostSchemas, requireUnprivilegedRole } from './postgres/postgres-role.ts'
import { checkConnectionString, openClient } from './postgres/postgres-client.ts'

/** Options of {@link createAgentDatabase}. */
export interface AgentDatabaseOptions {
  /** The connection string of a role that may create databases and roles. It is used now only, and not kept. */
  readonly administrator: string
  /** @default 'toolcrib_agent' */
  readonly database?: string
  /** The role that the agent's statements run as. @default 'toolcrib_agent' */
  readonly role?: string
  /** @default 32 random characters */
  readonly password?: string
  /** A second role of this name that can only read. @default none */
  readonly readOnlyRole?: string
  /**
   * Databases of the host to which PUBLIC, and so the agent's roles, may no longer connect. Every role that should goes
   * on only with a right of its own: owners and superusers keep theirs, others need GRANT CONNECT.
   *
   * @default none
   */
  readonly protect?: readonly string[]
  /** The most connections of a role at once. @default 10 */
  readonly connectionLimit?: number
  /** @default 10_000 */
  readonly connectTimeoutMs?: number
}

/** What {@link createAgentDatabase} made. The connection strings hold passwords. */
export interface AgentDatabase {
  /** For `createPostgresDatabase`. */
  readonly connectionString: string
  readonly readOnlyConnectionString?: string
  /** What did not exist before. */
  readonly created: { readonly database: boolean; readonly roles: readonly string[] }
  /** What could not be set, and why it matters; one sentence each. */
  readonly warnings: readonly string[]
}

const agentDatabaseOptionNames: KnownOptions<AgentDatabaseOptions> = {
  administrator: true,
  database: true,
  role: true,
  password: true,
  readOnlyRole: true,
  protect: true,
  connectionLimit: true,
  connectTimeoutMs: true,
}

/**
 * Makes a database and an unprivileged role for the agent, or brings existing ones into that state: running it again
 * changes nothing but the password, which is set anew. The database belongs to the administrator; the agent's role may
 * work in its schema `public`, connect to nothing that PUBLIC may not, and has no further rights. A database or a role
 * that serves something else is refused before anything is changed.
 *
 * @throws {ToolError} SQL_OPTION_INVALID, SQL_UNAVAILABLE, SQL_FAILED, SQL_ROLE_PRIVILEGED
 */
export async function createAgentDatabase(options: AgentDatabaseOptions): Promise<AgentDatabase> {
  assertOptions<AgentDatabaseOptions>('createAgentDatabase', options, agentDatabaseOptionNames)
  const { administrator, database = 'toolcrib_agent', role = 'toolcrib_agent' } = options
  const { protect = [], connectionLimit = 10, connectTimeoutMs = 10_000 } = options
  checkConnectionString(administrator, 'administrator')
  const roles = [
    { name: checkName(role, 'role'), password: options.password, readOnly: false },
    ...(options.readOnlyRole === undefined
      ? []
      : [
          {
            name: checkName(options.readOnlyRole, 'readOnlyRole'),
            password: undefined,
            readOnly: true,
          },
        ]),
  ].map(({ password, ...rest }) => ({ ...rest, password: password ?? newPassword() }))
  checkName(database, 'database')
  if (['postgres', 'template0', 'template1'].includes(database))
    throw builtInToolError(
      'SQL_OPTION_INVALID',
      `Option database names "${database}", which belongs to the server. Choose another name; it is made.`,
      { data: { option: 'database' } },
    )
  if (/[?#]/.test(database))
    throw builtInToolError(
      'SQL_OPTION_INVALID',
      `Option database must not hold ? or #, which cannot stand in a connection string, and is ${JSON.stringify(database)}.`,
      { data: { option: 'database' } },
    )
  const settings = { database, roles, protect, connectionLimit }
  const warnings: string[] = []
  const inside = replacePath(parseAdministrator(administrator), database)
  const connectionStrings = roles.map(({ name, password }) => signedIn(inside, name, password))
  const created = await withClient(
    { connectionString: administrator, connectTimeoutMs },
    async (client) => {
      // Two that run at once would both find nothing, and change the same rights. The lock ends with the connection.
      await client.query(`SELECT pg_advisory_lock(hashtext('toolcrib create agent database'))`)
      const found = await findOnServer(client, settings)
      const names = roles.map(({ name }) => name)
      if (!found.isNew && !found.isMarked)
        await withClient({ connectionString: inside, connectTimeoutMs }, (insider) =>
          requireAgentsOwn(insider, names),
        )
      await runAll(client, serverStatements(settings, found), warnings)
      await withClient({ connectionString: inside, connectTimeoutMs }, (insider) =>
        runAll(insider, agentDatabaseStatements(settings), warnings),
      )
      // Still under the lock: the next one takes rights away for a moment, and sets another password.
      for (const connectionString of connectionStrings)
        await proveUnprivileged(connectionString, connectTimeoutMs)
      return { database: found.isNew, roles: found.newRoles }
    },
  )
  const [connectionString = '', readOnlyConnectionString] = connectionStrings
  return {
    connectionString,
    ...(readOnlyConnectionString === undefined ? {} : { readOnlyConnectionString }),
    created,
    warnings,
  }
}

/** Signs in as the role, which also shows that the server lets it in. */
async function proveUnprivileged(
  connectionString: string,
  connectTimeoutMs: number,
): Promise<void> {
  await withClient({ connectionString, connectTimeoutMs }, (client) =>
    requireUnprivilegedRole(client, defaultHostSchemas),
  )
}

/** One thing to do. */
export interface AgentDatabaseStep {
  readonly statement: string
  /** What it means if the administrator may not do this; without it the whole ends with an error. */
  readonly otherwise?: string
}

async function runAll(
  client: Client,
  steps: readonly AgentDatabaseStep[],
  warnings: string[],
): Promise<void> {
  for (const { statement, otherwise } of steps) {
    try {
      await client.query(statement)
    } catch (error) {
      const { message, code } = error as { message: string; code?: string }
      if (otherwise === undefined)
        // The statement may hold a password, so only the server's words are passed on.
        throw builtInToolError(
          'SQL_FAILED',
          `The agent's database could not be made: ${message}. The administrator must be allowed to create databases and roles.`,
          code === undefined ? {} : { data: { sqlState: code } },
        )
      warnings.push(`${otherwise} (${message})`)
    }
  }
}

async function withClient<Value>(
  settings: { readonly connectionString: string; readonly connectTimeoutMs: number },
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  // The agent makes functions and operators where the administrator works here.
  const client = await openClient({ ...settings, catalogOnly: true })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The most that Postgres keeps of a name, in bytes. */
const maxNameBytes = 63

function checkName(name: string, option: string): string {
  if (
    typeof name === 'string' &&
    name !== '' &&
    !name.includes('\0') &&
    !name.startsWith('pg_') &&
    Buffer.byteLength(name) <= maxNameBytes
  )
    return name
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    `Option ${option} must be a name of 1 to ${maxNameBytes} bytes that does not begin with pg_, and is ${JSON.stringify(name).slice(0, 100)}.`,
    { data: { option } },
  )
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** @throws {ToolError} SQL_OPTION_INVALID, without the text, which holds a password. */
function parseAdministrator(connectionString: string): URL {
  if (URL.canParse(connectionString)) return new URL(connectionString)
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    'Option administrator cannot be read as a URL. Write / ? # @ and : in role and password with percent signs, as encodeURIComponent does; name a socket as "postgres:///database?host=/folder".',
    { data: { option: 'administrator' } },
  )
}

function replacePath(administrator: URL, database: string): string {
  const url = new URL(administrator)
  // As pg reads it: reserved characters stand for themselves.
  url.pathname = `/${encodeURI(database)}`
  return url.href
}

function signedIn(connectionString: string, role: string, password: string): string {
  const url = new URL(connectionString)
  // The administrator's, which would stand above what comes before the host.
  url.searchParams.delete('user')
  url.searchParams.delete('password')
  if (url.host === '') {
    url.searchParams.set('user', role)
    url.searchParams.set('password', password)
  } else {
    url.username = encodeURIComponent(role)
    url.password = encodeURIComponent(password)
  }
  return url.href
}
