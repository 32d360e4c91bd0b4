import { scramVerifier } from './postgres/scram-verifier.ts'
import type { AgentDatabaseStep } from './agent-database.ts'

/** A role for an agent. */
interface AgentRole {
  readonly name: string
  readonly password: string
  readonly readOnly: boolean
}

/** What the statements are made from. */
export interface AgentDatabaseSettings {
  readonly database: string
  readonly roles: readonly AgentRole[]
  readonly protect: readonly string[]
  readonly connectionLimit: number
}

/** What is there already. */
export interface FoundOnServer {
  readonly isNew: boolean
  readonly newRoles: readonly string[]
  /** What the roles gave themselves for single databases, where it stands above all that is set for the role. */
  readonly settings?: readonly { readonly role: string; readonly database: string }[]
}

/** Stands as a comment on the databases made here, so that a later run knows them from those that serve somebody else. */
export const agentDatabaseMark = 'A database for agents, made by Toolcrib.'

/** What to do on the server, in any database. */
export function serverStatements(
  { database, roles, protect, connectionLimit }: AgentDatabaseSettings,
  { isNew, newRoles, settings = [] }: FoundOnServer,
): readonly AgentDatabaseStep[] {
  const agentDatabase = quoteName(database)
  return [
    ...newRoles.map((name) => ({ statement: `CREATE ROLE ${quoteName(name)} NOLOGIN` })),
    ...roles.flatMap((role) => roleStatements(role, connectionLimit)),
    ...settings.map((one) => ({
      statement: `ALTER ROLE ${quoteName(one.role)} IN DATABASE ${quoteName(one.database)} RESET ALL`,
    })),
    // template0 holds nothing that somebody added, and takes the encoding that every text fits in.
    ...(isNew
      ? [{ statement: `CREATE DATABASE ${agentDatabase} TEMPLATE template0 ENCODING 'UTF8'` }]
      : []),
    {
      statement: `COMMENT ON DATABASE ${agentDatabase} IS '${agentDatabaseMark}'`,
      otherwise: `${agentDatabase} could not be marked; once it holds tables that are not the agent's, a later run refuses it`,
    },
    { statement: `REVOKE ALL ON DATABASE ${agentDatabase} FROM PUBLIC` },
    ...roles.map(({ name, readOnly }) => ({
      // One transaction, so that an agent at work is never locked out between the two.
      statement: `REVOKE ALL ON DATABASE ${agentDatabase} FROM ${quoteName(name)}; GRANT CONNECT${readOnly ? '' : ', TEMPORARY'} ON DATABASE ${agentDatabase} TO ${quoteName(name)}`,
    })),
    ...protect.map((name) => ({
      statement: `REVOKE CONNECT, TEMPORARY ON DATABASE ${quoteName(name)} FROM PUBLIC`,
    })),
  ]
}

function roleStatements(
  { name, password, readOnly }: AgentRole,
  connectionLimit: number,
): readonly AgentDatabaseStep[] {
  const role = quoteName(name)
  const set = (setting: string): string => `ALTER ROLE ${role} SET ${setting}`
  return [
    // A role can give itself settings; they all go.
    { statement: `ALTER ROLE ${role} RESET ALL` },
    {
      statement: `ALTER ROLE ${role} LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT ${connectionLimit} PASSWORD '${scramVerifier(password)}'`,
    },
    { statement: set(`statement_timeout = '60s'`) },
    { statement: set(`lock_timeout = '10s'`) },
    { statement: set(`idle_in_transaction_session_timeout = '30s'`) },
    ...(readOnly ? [{ statement: set('default_transaction_read_only = on') }] : []),
    {
      statement: set(`temp_file_limit = '1GB'`),
      otherwise: `Temporary files of ${role} are not limited, so that a query can fill the disk; only a superuser can set this`,
    },
  ]
}

/** What to do in the agent's database. */
export function agentDatabaseStatements({
  roles,
}: AgentDatabaseSettings): readonly AgentDatabaseStep[] {
  const writers = roles.filter(({ readOnly }) => !readOnly).map(({ name }) => quoteName(name))
  const readers = roles.filter(({ readOnly }) => readOnly).map(({ name }) => quoteName(name))
  return [
    { statement: 'REVOKE ALL ON SCHEMA public FROM PUBLIC' },
    ...writers.map((role) => ({ statement: `GRANT USAGE, CREATE ON SCHEMA public TO ${role}` })),
    ...readers.flatMap((role) => [
      { statement: `GRANT USAGE ON SCHEMA public TO ${role}` },
      {
        statement: `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
        otherwise: `Tables that are there already are not all readable for ${role}`,
      },
    ]),
    ...writers.flatMap((writer) =>
      readers.map((reader) => ({
        statement: `ALTER DEFAULT PRIVILEGES FOR ROLE ${writer} IN SCHEMA public GRANT SELECT ON TABLES TO ${reader}`,
        otherwise: `Tables that ${writer} makes are not readable for ${reader} by themselves; ${writer} has to grant it`,
      })),
    ),
    {
      statement: revokeFunctions,
      otherwise:
        'Functions that reach other sessions, files or channels stay executable; only their owner, a superuser, can take them away',
    },
  ]
}

/**
 * Every form of these functions, whatever its arguments: ending other sessions of the same role, large objects (which
 * belong to the database and outlive everything), and sending on channels.
 */
const revokeFunctions = `DO $$
DECLARE form regprocedure;
BEGIN
  FOR form IN
    SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY (ARRAY[
      'pg_terminate_backend', 'pg_cancel_backend', 'pg_notify',
      'lo_import', 'lo_export', 'lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lo_unlink',
      'pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'pg_stat_file', 'pg_current_logfile',
      'pg_reload_conf', 'pg_rotate_logfile', 'pg_log_backend_memory_contexts',
      'pg_logical_emit_message', 'pg_export_snapshot'
    ])
  LOOP
    EXECUTE pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', form);
  END LOOP;
END $$`

/** A name as SQL takes it, whatever it holds. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
