import type { SqlDatabase } from '@toolcrib/tools/sql'

/**
 * A database that is opened at the first statement: most commands start a host and run no SQL, and an embedded database takes
 * a while to start. An opening that failed is tried again at the next statement.
 */
export function openAtFirstUse(open: () => SqlDatabase | Promise<SqlDatabase>): SqlDatabase {
  let opening: Promise<SqlDatabase> | undefined
  const opened = async (): Promise<SqlDatabase> => {
    opening ??= Promise.resolve(open())
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    run: async (statement, limits, signal) => (await opened()).run(statement, limits, signal),
    close: async () => {
      const database = await opening?.catch(() => undefined)
      await database?.close()
    },
  }
}
