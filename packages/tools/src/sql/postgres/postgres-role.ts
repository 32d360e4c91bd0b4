import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { Client } from 'pg'
import { builtInToolError } from '../../error-catalogue.ts'
import { checkConnectionString, openClient } from './postgres-client.ts'

/** What {@link checkPostgresRole} looks at. */
export interface PostgresRoleCheck {
  readonly connectionString: string
  /** Schemas with the host's own tables; a database that has one is not for the agent. @default ['toolcrib'] */
  readonly hostSchemas?: readonly string[]
  /** @default 10_000 */
  readonly connectTimeoutMs?: number
}

/** The schemas that this project's own packages make. */
export const defaultHostSchemas: readonly string[] = ['toolcrib']

const postgresRoleCheckOptionNames: KnownOptions<PostgresRoleCheck> = {
  connectionString: true,
  hostSchemas: true,
  connectTimeoutMs: true,
}

/** What a role may do that an agent's should not, one sentence each; empty when it is fit for an agent. */
export async function checkPostgresRole(check: PostgresRoleCheck): Promise<readonly string[]> {
  assertOptions<PostgresRoleCheck>('checkPostgresRole', check, postgresRoleCheckOptionNames)
  const { connectionString, hostSchemas = defaultHostSchemas, connectTimeoutMs = 10_000 } = check
  checkConnectionString(connectionString, 'connectionString')
  const client = await openClient({ connectionString, connectTimeoutMs, catalogOnly: true })
  try {
    return await findPrivileges(client, hostSchemas)
  } finally {
    await client.end()
  }
}

/** Refuses a role that may too much. @throws {ToolError} SQL_ROLE_PRIVILEGED */
export async function requireUnprivilegedRole(
  client: Client,
  hostSchemas: readonly string[],
): Promise<void> {
  const findings = await findPrivileges(client, hostSchemas)
  if (findings.length === 0) return
  throw builtInToolError(
    'SQL_ROLE_PRIVILEGED',
    `The database role "${client.user}" is not fit for an agent: ${findings.join('; ')}. Make a database and a role with createAgentDatabase, or set allowPrivilegedRole if everything in this server may be read and changed.`,
    { data: { role: client.user ?? '', findings: [...findings] } },
  )
}

async function findPrivileges(
  client: Client,
  hostSchemas: readonly string[],
): Promise<readonly string[]> {
  // A role can give itself a search path with functions and operators of its own making; this looks only at the server's.
  await client.query('BEGIN READ ONLY; SET LOCAL search_path TO pg_catalog')
  try {
    const roles = await client.query<RoleRow>(rolesQuery)
    const extensions = await client.query<{ name: string }>(extensionsQuery, [reachingExtensions])
    const schemas = await client.query<{ name: string }>(schemasQuery, [hostSchemas])
    const superuser = roles.rows.some((row) => row.self && row.superuser)
    const functions = await client.query<{ name: string }>(functionsQuery, [reachingFunctions])
    const parameters = await findParameters(client)
    return [
      ...roles.rows.flatMap((row) => describeRole(row, superuser)),
      ...(superuser ? [] : functions.rows).map(({ name }) => `it may execute ${name}`),
      ...(superuser ? [] : parameters).map(
        ({ name }) => `it may set the server's parameter ${name}`,
      ),
      ...extensions.rows.map(
        ({ name }) => `the extension ${name}, which reaches out of the database, is installed`,
      ),
      ...schemas.rows.map(
        ({ name }) => `the database holds the schema "${name}" with the host's own tables`,
      ),
    ]
  } finally {
    await client.query('ROLLBACK')
  }
}

interface RoleRow {
  readonly name: string
  readonly self: boolean
  readonly predefined: boolean
  readonly superuser: boolean
  readonly createrole: boolean
  readonly createdb: boolean
  readonly replication: boolean
  readonly bypassrls: boolean
  readonly login: boolean
  /** Owns databases other than this one. */
  readonly owner: boolean
}

const attributes = ['superuser', 'createrole', 'createdb', 'replication', 'bypassrls'] as const

function describeRole(row: RoleRow, selfIsSuperuser: boolean): string[] {
  const held = attributes.filter((attribute) => row[attribute]).map((name) => name.toUpperCase())
  const owns = row.owner ? ['owns other databases'] : []
  if (row.self)
    return [
      ...(held.length === 0 ? [] : [`it is ${held.join(', ')}`]),
      ...(row.superuser ? [] : owns.map((what) => `it ${what}`)),
    ]
  // A superuser is a member of everything, which needs no saying.
  if (selfIsSuperuser) return []
  if (row.predefined) return [`it is a member of ${row.name}`]
  // A member can give such a role a new password, and so lock out whom it belongs to.
  const login = row.login ? ['can sign in'] : []
  const facts = [...(held.length === 0 ? [] : [`is ${held.join(', ')}`]), ...login, ...owns]
  return facts.length === 0 ? [] : [`it is a member of "${row.name}", which ${facts.join(' and ')}`]
}

/** Every role that the connection has or may take on, by SET ROLE too. */
const rolesQuery = `
  SELECT rolname AS name, rolname = session_user AS self, rolname LIKE 'pg\\_%' AS predefined,
    rolsuper AS superuser, rolcreaterole AS createrole, rolcreatedb AS createdb,
    rolreplication AS replication, rolbypassrls AS bypassrls, rolcanlogin AS login,
    EXISTS (SELECT FROM pg_database WHERE datdba = pg_roles.oid AND datname <> current_database()) AS owner
  FROM pg_roles
  WHERE pg_has_role(session_user, oid, 'MEMBER') AND rolname <> 'pg_database_owner'
  ORDER BY rolname = session_user DESC, rolname`

/** Extensions through which SQL gets to files, programs or other servers. */
const reachingExtensions = [
  'adminpack',
  'dblink',
  'file_fdw',
  'plperlu',
  'plpython3u',
  'plsh',
  'pltclu',
  'postgres_fdw',
]

const extensionsQuery = `SELECT extname AS name FROM pg_extension WHERE extname = ANY ($1) ORDER BY 1`

const schemasQuery = `SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY 1`

/** Functions of the server that get to files or change the server; only a superuser may execute them, or give them away. */
const reachingFunctions = [
  'lo_export',
  'lo_import',
  'pg_ls_dir',
  'pg_read_binary_file',
  'pg_read_file',
  'pg_reload_conf',
  'pg_rotate_logfile',
  'pg_stat_file',
]

/** Every role that the connection may take on counts, as above. */
const functionsQuery = `
  SELECT DISTINCT proname AS name FROM pg_proc, pg_roles
  WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY ($1)
    AND pg_has_role(session_user, pg_roles.oid, 'MEMBER')
    AND has_function_privilege(pg_roles.oid, pg_proc.oid, 'EXECUTE')
  ORDER BY 1`

const parametersQuery = `
  SELECT DISTINCT parname AS name FROM pg_parameter_acl, pg_roles
  WHERE pg_has_role(session_user, pg_roles.oid, 'MEMBER')
    AND has_parameter_privilege(pg_roles.oid, parname, 'SET, ALTER SYSTEM')
  ORDER BY 1`

/** Versions before 15 have no rights on parameters. */
async function findParameters(client: Client): Promise<readonly { readonly name: string }[]> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_class WHERE oid = to_regclass('pg_catalog.pg_parameter_acl')`,
  )
  return rowCount === 0 ? [] : (await client.query<{ name: string }>(parametersQuery)).rows
}
