import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ToolCallQuery } from '@toolcrib/registry'
import { Client } from 'pg'
import { createPgliteCallLog } from '../src/pglite.ts'
import { EmbeddedDatabase } from '../src/pglite-thread.ts'
import { fillCallLog } from '../test/call-data.ts'

// Usage: embedded-read-bench.ts [calls]; fills an embedded log with that many calls of 30 days and reads it.
const calls = Number(process.argv[2] ?? 200_000)
const days = 30
const dayMs = 86_400_000
const rounds = 5
const end = Date.now()
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const directory = await mkdtemp(join(tmpdir(), 'toolcrib-bench-'))
try {
  await load()
  await measure()
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function load(): Promise<void> {
  const past = { now: () => end - days * dayMs, daysAhead: days + 1 }
  await (await createPgliteCallLog({ directory, ...past })).close()
  const database = await EmbeddedDatabase.open({
    dataFolder: join(directory, 'postgres'),
    isNew: false,
    hasTables: false,
  })
  const client = new Client({
    stream: () => database.connect(),
    user: 'postgres',
    password: 'none',
  })
  await client.connect()
  await fillCallLog(client, { calls, days, end })
  await client.query('vacuum analyze toolcrib.tool_calls')
  await client.end()
  await database.end()
  say(`${calls} calls are there`)
}

async function measure(): Promise<void> {
  const log = await createPgliteCallLog({ directory, namespace: 'default' })
  const sample = (await log.query({ until: end - 15 * dayMs, limit: 1 })).calls[0]
  const pages: Record<string, ToolCallQuery> = {
    newest: {},
    'before the middle': { until: end - 15 * dayMs },
    'a rare tool': { toolName: 'tool_300' },
    failed: { status: 'failed' },
    completed: { status: 'completed' },
    started: { status: 'started' },
    trace: { traceId: sample?.traceId ?? '' },
    'a rare tool that failed': { toolName: 'tool_299', status: 'failed' },
  }
  for (const [name, query] of Object.entries(pages)) {
    // oxlint-disable-next-line no-await-in-loop -- measurements must not run at once
    await time(name, () => log.query(query))
  }
  await time('statistics of a day', () => log.statistics({ since: end - dayMs }))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startedAt = performance.now()
  let read = 0
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const page = await log.query({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
    read += page.calls.length
    cursor = page.nextCursor
  } while (cursor !== undefined)
  delay.disable()
  say(
    `${read} calls read in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; the loop stood still for at most ${(delay.max / 1e6).toFixed(0)} ms (99 %: ${(delay.percentile(99) / 1e6).toFixed(0)} ms)`,
  )
  await log.close()
}

async function time(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- see above
    await read()
    times.push(performance.now() - startedAt)
  }
  const sorted = times.toSorted((left, right) => left - right)
  say(
    `${name.padEnd(40)} median ${sorted[rounds >> 1]?.toFixed(1)} ms, best ${sorted[0]?.toFixed(1)} ms`,
  )
}
