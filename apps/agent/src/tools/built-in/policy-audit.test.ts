import { type Principal, silentLogger } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PolicyBlock } from '@toolcrib/toolsmaker'
import { PolicyAudit, toPolicyBlock } from './policy-audit.ts'

const alice: Principal = { kind: 'agent', id: 'alice' }
let recorded: PolicyBlock[]
const record = async (block: PolicyBlock): Promise<void> => {
  recorded.push(block)
}
const block = (changes: Partial<PolicyBlock> = {}): PolicyBlock => ({
  toolName: 'file',
  reason: 'Refused',
  rule: 'fs.path',
  principal: alice,
  ...changes,
})

beforeEach(() => {
  recorded = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('the first violation of a tool, principal and rule is written at once, each', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger })
  const blocks = [
    block(),
    block({ toolName: 'http' }),
    block({ rule: 'fs.symlink' }),
    block({ principal: { kind: 'agent', id: 'bob' } }),
    block({ principal: { kind: 'person', id: 'alice' } }),
  ]
  for (const each of blocks) audit.report(each)
  await vi.advanceTimersByTimeAsync(0)
  expect(recorded).toEqual(blocks)
  await audit.close()
  expect(recorded).toHaveLength(5)
})

test('different attempts are written each, repeats of them are not', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger, maxAttempts: 3 })
  const texts = ['a', 'b', 'a', 'c', 'b']
  for (const tried of texts) audit.report(block({ tried }))
  await vi.advanceTimersByTimeAsync(0)
  expect(recorded.map(({ tried }) => tried)).toEqual(['a', 'b', 'c'])
  await audit.close()
  expect(recorded.slice(3)).toEqual([block({ tried: 'b', count: 2 })])
})

test('a flood of thousands of attempts becomes 21 events: the first twenty, and the count when the minute is over', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger })
  for (let index = 0; index < 5_000; index += 1) audit.report(block({ tried: `read ${index}` }))
  await vi.advanceTimersByTimeAsync(59_999)
  expect(recorded).toHaveLength(20)
  await vi.advanceTimersByTimeAsync(1)
  expect(recorded[20]).toEqual(block({ tried: 'read 4999', count: 4_980 }))
  await audit.close()
  expect(recorded).toHaveLength(21)
})

test('a flood that goes on is one event a minute; after a quiet minute the next violation is written at once again', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger })
  for (let second = 0; second < 180; second += 1) {
    audit.report(block())
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(recorded.map(({ count = 1 }) => count)).toEqual([1, 59, 60, 60])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(recorded).toHaveLength(4)
  audit.report(block())
  await vi.advanceTimersByTimeAsync(0)
  expect(recorded).toHaveLength(5)
  await audit.close()
})

test('closing writes what was counted, waits for it, and what comes later is not lost', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger })
  audit.report(block())
  audit.report(block())
  audit.report(block())
  await audit.close()
  expect(recorded.map(({ count }) => count)).toEqual([undefined, 2])
  expect(vi.getTimerCount()).toBe(0)
  audit.report(block())
  await audit.close()
  expect(recorded).toHaveLength(3)
})

test('what is kept is bounded, whoever makes up principals and tools; no violation goes uncounted', async () => {
  const audit = new PolicyAudit({ record, logger: silentLogger, maxKinds: 10 })
  for (let index = 0; index < 10_000; index += 1)
    audit.report(
      block({
        toolName: `tool_${index % 100}`,
        rule: `rule ${index}`,
        principal: { kind: 'agent', id: String(index) },
      }),
    )
  expect(vi.getTimerCount()).toBeLessThanOrEqual(21)
  await audit.close()
  expect(recorded.length).toBeLessThanOrEqual(42)
  expect(recorded.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(10_000)
})

test('a record that cannot be written is logged and harms nothing', async () => {
  const error = vi.fn<(data: object, message: string) => void>()
  const audit = new PolicyAudit({
    record: () => Promise.reject(new Error('the disk is full')),
    logger: { ...silentLogger, error },
  })
  audit.report(block())
  audit.report(block({ toolName: 'http' }))
  await audit.close()
  expect(error).toHaveBeenCalledTimes(2)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ toolName: 'file', rule: 'fs.path' })
})

test('a report of the invoker becomes an event; what a stranger puts in the place of the rule is left out', () => {
  const report = {
    toolName: 'file',
    callId: 'c1',
    principal: alice,
    callers: [],
    message: 'Refused',
  }
  expect(toPolicyBlock({ ...report, data: { rule: 'fs.path', tried: 'read "/x"' } })).toEqual({
    toolName: 'file',
    callId: 'c1',
    principal: alice,
    reason: 'Refused',
    rule: 'fs.path',
    tried: 'read "/x"',
  })
  expect(toPolicyBlock({ ...report, data: { rule: { a: 1 }, tried: [] } })).not.toHaveProperty(
    'rule',
  )
  expect(toPolicyBlock(report)).toMatchObject({ reason: 'Refused' })
})
