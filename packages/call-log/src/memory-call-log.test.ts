import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeCallLog } from '../test/call-log-contract.ts'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'
import { createMemoryCallLog } from './memory.ts'

describeCallLog({ name: 'memory', open: async (options) => createMemoryCallLog(options) })

it('keeps the newest calls, as many as it was told', async () => {
  const log = createMemoryCallLog({ maxCalls: 3 })
  const starts = [1, 2, 3, 4, 5, 6, 7].map((startedAt) => makeStart({ startedAt }))
  for (const start of starts) await log.logToolStart(start)
  expect((await log.query()).calls.map((call) => call.startedAt)).toEqual([7, 6, 5])
  await log.logToolComplete(makeCompletion(starts[0] as (typeof starts)[0]))
  expect((await log.query()).calls).toHaveLength(3)
})

it.each([0, 1.5, -1, Number.NaN])('refuses maxCalls %s', (maxCalls) => {
  expect(() => createMemoryCallLog({ maxCalls })).toThrow('maxCalls')
})

/** Every module that one reaches through its imports, and the packages they name. */
async function listImports(path: string, seen: Set<string> = new Set()): Promise<Set<string>> {
  if (seen.has(path)) return seen
  seen.add(path)
  const source = await readFile(path, 'utf8')
  const found = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name ?? '')
  await Promise.all(
    found.map((name) =>
      name.startsWith('.')
        ? listImports(join(dirname(path), name), seen)
        : Promise.resolve(seen.add(name)),
    ),
  )
  return seen
}

it('needs nothing of Node', async () => {
  const imports = await listImports(join(import.meta.dirname, 'memory.ts'))
  expect([...imports].filter((name) => !name.endsWith('.ts'))).toEqual(['@toolcrib/registry'])
})
