import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { afterAll, beforeAll } from 'vitest'
import { describeCallLog } from '../test/call-log-contract.ts'
import { createPostgresCallLog } from './index.ts'

// A database takes longer to make than most of the contract. Each log has a schema of its own, which is as empty.
let server: RealPostgres
let connectionString: string
let logs = 0

beforeAll(async () => {
  server = await startPostgres()
  connectionString = await server.createDatabase()
})

afterAll(() => server.stop())

describeCallLog({
  name: 'Postgres',
  open: (options) => {
    logs += 1
    return createPostgresCallLog({ ...options, connectionString, schema: `log_${logs}` })
  },
})
