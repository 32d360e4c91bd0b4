import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealPostgres, startPostgres } from './index.ts'

let servers: readonly RealPostgres[]

beforeAll(async () => {
  servers = await Promise.all([startPostgres(), startPostgres(['-c', 'work_mem=5MB'])])
}, 240_000)
afterAll(() => Promise.all(servers.map((server) => server.stop())))

test('servers that start at once have data, ports and settings of their own', async () => {
  const [first, second] = servers
  const address = await first?.createDatabase()
  expect(address).toBe(first?.addressOf('test_1'))
  expect(await second?.query(`select 1 from pg_database where datname = 'test_1'`)).toEqual([])
  expect(await second?.query('show work_mem')).toEqual([{ work_mem: '5MB' }])
  expect(await first?.readPid()).not.toBe(await second?.readPid())
})

test('a server that was paused has its data and its port when it comes back', async () => {
  const [first] = servers
  await first?.query('create table kept as select 7 as n')
  await first?.pause()
  await expect(first?.query('select 1')).rejects.toThrow('ECONNREFUSED')
  await first?.resume()
  await first?.resume()
  expect(await first?.query('select n from kept')).toEqual([{ n: 7 }])
})
