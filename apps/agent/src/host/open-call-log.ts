import { hostname } from 'node:os'
import { createPostgresCallLog } from '@toolcrib/call-log'
import { createPgliteCallLog } from '@toolcrib/call-log/pglite'
import type { CallLog, Logger } from '@toolcrib/registry'

/** Where the call log goes. */
export interface CallLogPlace {
  /** A PostgreSQL connection string; without it the log is embedded in `directory`. */
  readonly databaseUrl?: string | undefined
  readonly directory: string
  readonly logger: Logger
}

/** Opens the call log: the Postgres that was named, else the embedded one. */
export async function openCallLog({
  databaseUrl,
  directory,
  logger,
}: CallLogPlace): Promise<CallLog> {
  if (databaseUrl === undefined) return createPgliteCallLog({ directory, logger })
  return createPostgresCallLog({ connectionString: databaseUrl, hostName: hostname(), logger })
}
