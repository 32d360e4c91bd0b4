import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hostError } from '../../host-error.ts'

/** The agent's own database in PostgreSQL, as `sql create-database` made it. */
export interface AgentDatabase {
  /** With the password of the agent's role; kept in the trust folder alone. */
  readonly connectionString: string
  readonly createdAt: string
}

const schema = z.strictObject({ connectionString: z.string().min(1), createdAt: z.string() })

/** The file in the trust folder that holds the connection string. */
export function agentDatabasePath(trustFolder: string): string {
  return join(trustFolder, 'agent-database.json')
}

/**
 * Reads where the agent's database is; `undefined` when none was made.
 *
 * @throws {ToolError} SETTINGS_INVALID when the file cannot be used; its content is in no message.
 */
export async function readAgentDatabase(trustFolder: string): Promise<AgentDatabase | undefined> {
  const path = agentDatabasePath(trustFolder)
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw hostError(
      'SETTINGS_INVALID',
      `${path} cannot be used. Restore it; or move it away, and the sql tool has an embedded database until "sql create-database" is run again.`,
    )
  }
}

/**
 * Keeps where the agent's database is, readable for the owner only.
 *
 * @throws {ToolError} AGENT_DATABASE_EXISTS when one is kept already; it is not replaced.
 */
export async function saveAgentDatabase(
  trustFolder: string,
  database: AgentDatabase,
): Promise<void> {
  const path = agentDatabasePath(trustFolder)
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw databaseExists(path)
  }
  try {
    await file.writeFile(`${JSON.stringify(database, undefined, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Says that there is a database already, and what to do to have another. */
export function databaseExists(path: string): Error {
  return hostError(
    'AGENT_DATABASE_EXISTS',
    `The sql tool has a database already; ${path} says which. To have another, move that file away first.`,
  )
}
