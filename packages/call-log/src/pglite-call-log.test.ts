import { afterAll, beforeAll } from 'vitest'
import { describeCallLog } from '../test/call-log-contract.ts'
import { checkSettings } from './log-settings.ts'
import { openEmbeddedLog } from './pglite-call-log.ts'
import { EmbeddedDatabase } from './pglite-thread.ts'

// Starting a database takes longer than most of the contract. Each log has a schema of its own, which is as empty.
let database: EmbeddedDatabase
let logs = 0

beforeAll(async () => {
  database = await EmbeddedDatabase.open({ isNew: true, hasTables: false })
})
afterAll(() => database.end())

describeCallLog({
  name: 'PGlite',
  open: (options = {}) => {
    logs += 1
    const schema = `log_${logs}`
    // As `createPgliteCallLog` has them.
    const embedded = { writeTimeoutMs: 60_000, daysAhead: 0, inflight: 1 }
    return openEmbeddedLog(database, {
      settings: checkSettings({ ...options, ...embedded, schema }),
      release: async () => undefined,
    })
  },
})
