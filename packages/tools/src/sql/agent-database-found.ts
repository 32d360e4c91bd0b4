import type { Client } from 'pg'
import {
  agentDatabaseMark,
  type AgentDatabaseSettings,
  type FoundOnServer,
} from './agent-database-statements.ts'
import { builtInToolError } from '../error-catalogue.ts'

interface Found extends Required<FoundOnServer> {
  /** The database was made for agents. */
  readonly isMarked: boolean
}

interface RoleFacts {
  readonly name: string
  readonly self: boolean
  readonly privileged: boolean
  readonly member: boolean
  readonly owner: boolean
}

/**
 * Looks what of an agent's database is there already, and changes nothing.
 *
 * @throws {ToolError} SQL_OPTION_INVALID when a role is there that serves something else.
 */
export async function findOnServer(
  client: Client,
  { database, roles }: AgentDatabaseSettings,
): Promise<Found> {
  const names = roles.map(({ name }) => name)
  const found = await client.query<RoleFacts>(rolesQuery, [names, database])
  for (const role of found.rows) requireFit(role)
  const databases = await client.query<{ marked: boolean }>(databaseQuery, [
    database,
    agentDatabaseMark,
  ])
  const settings = await client.query<{ role: string; database: string }>(settingsQuery, [names])
  const known = new Set(found.rows.map(({ name }) => name))
  return {
    isNew: databases.rows.length === 0,
    isMarked: databases.rows[0]?.marked === true,
    newRoles: names.filter((name) => !known.has(name)),
    settings: settings.rows,
  }
}

/**
 * Refuses a database, on a connection to it, that holds what belongs to others than the agent's roles.
 *
 * @throws {ToolError} SQL_OPTION_INVALID
 */
export async function requireAgentsOwn(client: Client, roles: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(foreignQuery, [roles])
  const [first] = rows
  if (first === undefined) return
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    `The database "${client.database ?? ''}" exists and holds what is not the agent's (${first.name}), so it serves something else; it is not changed. Choose another database name.`,
    { data: { option: 'database' } },
  )
}

function requireFit({ name, self, privileged, member, owner }: RoleFacts): void {
  const reasons = [
    ...(privileged || self ? ['has privileges'] : []),
    ...(member ? ['is a member of other roles'] : []),
    ...(owner ? ["owns things outside of the agent's database"] : []),
  ]
  if (reasons.length === 0) return
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    `The role "${name}" exists and ${reasons.join(' and ')}, so it serves something else; it is not changed. Choose another role name.`,
    { data: { role: name } },
  )
}

const rolesQuery = `
  SELECT rolname AS name, rolname = session_user AS self,
    rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS privileged,
    EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid) AS member,
    EXISTS (
      SELECT FROM pg_shdepend LEFT JOIN pg_database ON datname = $2
      WHERE refclassid = 'pg_authid'::regclass AND refobjid = pg_roles.oid AND deptype = 'o'
        AND dbid IS DISTINCT FROM pg_database.oid
        AND NOT (classid = 'pg_database'::regclass AND objid IS NOT DISTINCT FROM pg_database.oid)
    ) AS owner
  FROM pg_roles WHERE rolname = ANY ($1)`

const databaseQuery = `
  SELECT shobj_description(oid, 'pg_database') IS NOT DISTINCT FROM $2 AS marked
  FROM pg_database WHERE datname = $1`

const settingsQuery = `
  SELECT rolname AS role, datname AS database
  FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole
    JOIN pg_database ON pg_database.oid = setdatabase
  WHERE rolname = ANY ($1)`

/** Schemas and what is in them, as far as the server did not bring it along. */
const foreignQuery = `
  SELECT format('%I.%I', nspname, relname) AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
    AND pg_get_userbyid(relowner) <> ALL ($1)
  UNION ALL
  SELECT format('schema %I', nspname) FROM pg_namespace
  WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'public')
    AND pg_get_userbyid(nspowner) <> ALL ($1)
  LIMIT 1`
