import type * as pg from 'pg'
import type { Client, ClientConfig } from 'pg'
import { builtInToolError } from '../../error-catalogue.ts'

/** What a connection of ours is made of. */
export interface ClientSettings {
  readonly connectionString: string
  readonly connectTimeoutMs: number
  /** The server's own limits, which hold even when this process hangs; milliseconds. */
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  /**
   * Names without a schema mean the server's own things only. For statements of ours that run with an administrator's
   * rights in a database where others make functions and operators. @default false
   */
  readonly catalogOnly?: boolean
}

const catalogOnly = 'search_path=pg_catalog'

/**
 * What values look like and how soon the server notices a lost client. Given at the start, these settings stand above
 * those that a role can give itself, and a reset goes back to them.
 */
const sessionSettings = [
  'client_encoding=UTF8',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'timezone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
  'idle_in_transaction_session_timeout=10000',
]

/** Makes the server end a statement whose client has gone. Some systems and versions before 14 do not know it. */
const noticeLostClient = 'client_connection_check_interval=1000'

/**
 * Checks a connection string without putting it into the message: it holds a password.
 *
 * @throws {ToolError} SQL_OPTION_INVALID
 */
export function checkConnectionString(value: string, option: string): void {
  if (typeof value === 'string' && /^postgres(?:ql)?:\/\/./.test(value)) return
  throw builtInToolError(
    'SQL_OPTION_INVALID',
    `Option ${option} must be a connection string such as "postgres://role:password@host:5432/database", and is something else.`,
    { data: { option } },
  )
}

/** Opens a connection; whoever asked ends it. @throws {ToolError} SQL_UNAVAILABLE */
export async function openClient(settings: ClientSettings, signal?: AbortSignal): Promise<Client> {
  const serverSettings =
    settings.catalogOnly === true ? [...sessionSettings, catalogOnly] : sessionSettings
  try {
    return await connect(settings, [...serverSettings, noticeLostClient], signal)
  } catch (error) {
    if (signal?.aborted !== true && isUnknownSetting(error))
      return await connect(settings, serverSettings, signal).catch((again: unknown) => {
        throw unavailable(again)
      })
    throw signal?.aborted === true ? signal.reason : unavailable(error)
  }
}

async function connect(
  settings: ClientSettings,
  serverSettings: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Client> {
  const { Client: PgClient } = await loadPg()
  const client = new PgClient(clientConfig(settings, serverSettings))
  // Without a listener the loss of an idle connection would end the process; `end` follows it.
  client.on('error', () => undefined)
  const abort = (): void => {
    client.connection.stream.destroy()
  }
  signal?.addEventListener('abort', abort, { once: true })
  try {
    signal?.throwIfAborted()
    await client.connect()
    signal?.throwIfAborted()
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function clientConfig(settings: ClientSettings, serverSettings: readonly string[]): ClientConfig {
  const { connectionString, own } = splitOptions(settings.connectionString)
  return {
    connectionString,
    application_name: 'toolcrib sql',
    keepAlive: true,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    options: [own, ...serverSettings.map((setting) => `-c ${setting}`)].join(' ').trim(),
    ...(settings.statementTimeoutMs === undefined
      ? {}
      : { statement_timeout: settings.statementTimeoutMs }),
    ...(settings.lockTimeoutMs === undefined ? {} : { lock_timeout: settings.lockTimeoutMs }),
  }
}

/** What the string says under `options` would replace ours; here it comes before them. */
function splitOptions(connectionString: string): { connectionString: string; own: string } {
  if (!URL.canParse(connectionString)) return { connectionString, own: '' }
  const url = new URL(connectionString)
  const own = url.searchParams.get('options')
  if (own === null) return { connectionString, own: '' }
  url.searchParams.delete('options')
  return { connectionString: url.href, own }
}

/** pg is an optional peer dependency. @throws {ToolError} SQL_UNAVAILABLE when it is not installed. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return await import('pg')
  } catch (error) {
    throw builtInToolError(
      'SQL_UNAVAILABLE',
      'The package pg is missing. Install it beside @toolcrib/tools: npm install pg',
      { cause: error },
    )
  }
}

function isUnknownSetting(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '42704' || code === '22023'
}

/** The message of pg or of the server; neither holds the password. */
export function unavailable(error: unknown): Error {
  const { message, code } = error as { message?: string; code?: string }
  const reason = message === undefined || message === '' ? (code ?? 'no reason given') : message
  return builtInToolError(
    'SQL_UNAVAILABLE',
    `The database cannot be reached: ${reason}. Check that it runs, and the host, port, role and password of the connection string.`,
    code === undefined ? {} : { data: { reason: code } },
  )
}
