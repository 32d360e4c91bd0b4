import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeStart } from '../test/sample-calls.ts'
import { createPostgresCallLog } from './index.ts'
import { sweepEarlierHosts } from './sweep.ts'

let server: RealPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

it('finds the calls of an earlier host again, where a sweep was killed in between', async () => {
  const connectionString = await server.createDatabase()
  const dead = await createPostgresCallLog({ connectionString })
  const start = makeStart()
  await dead.logToolStart(start)
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const query = client.query.bind(client)
    const dying = Object.create(client) as Client
    dying.query = ((text: string, values: unknown[]) => {
      if (text.includes('insert into')) throw new Error('killed')
      return query(text, values)
    }) as never
    const sweep = { schema: 'toolcrib', hostId: crypto.randomUUID() }
    await expect(sweepEarlierHosts(dying, sweep)).rejects.toThrow('killed')
    expect(await sweepEarlierHosts(client, sweep)).toBe(1)
    expect((await dead.get(start.callId))?.status).toBe('interrupted')
  } finally {
    await client.end()
    await dead.close()
  }
})
