import { hostname } from 'node:os'
import type { CallLog, Logger } from '@toolcrib/registry'

/** Where the call log goes. */
export interface CallLogPlace {
  /** A PostgreSQL connection string; without it the log is embedded in `directory`. */
  readonly databaseUrl?: string | undefined
  readonly directory: string
  /** The host's own; calls of others in the same database are neither written nor read. */
  readonly namespace: string
  readonly logger: Logger
}

/** Opens the call log: the Postgres that was named, else the embedded one. */
export async function openCallLog({
  databaseUrl,
  directory,
  namespace,
  logger,
}: CallLogPlace): Promise<CallLog> {
  // Loaded here, since most commands never open the log.
  if (databaseUrl === undefined) {
    const { createPgliteCallLog } = await import('@toolcrib/call-log/pglite')
    return createPgliteCallLog({ directory, namespace, logger })
  }
  const { createPostgresCallLog } = await import('@toolcrib/call-log')
  return createPostgresCallLog({
    connectionString: databaseUrl,
    hostName: hostname(),
    namespace,
    logger,
  })
}
