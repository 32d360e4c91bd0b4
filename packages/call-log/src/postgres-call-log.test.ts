import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { afterAll, beforeAll } from 'vitest'
import { describeCallLog } from '../test/call-log-contract.ts'
import { createPostgresCallLog } from './index.ts'

let server: RealPostgres

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

describeCallLog({
  name: 'Postgres',
  open: async (options) =>
    createPostgresCallLog({ ...options, connectionString: await server.createDatabase() }),
})
