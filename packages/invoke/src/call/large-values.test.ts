import type { ToolResult } from '@toolcrib/registry'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createHarness } from '../../test/harness.ts'
import { createRedactor } from '../index.ts'

/** How long the event loop may stand still, in milliseconds; far more than a slice takes, for machines under load. */
const longestPauseMs = 1_000

/** Runs a work and tells how often a timer could fire meanwhile. */
async function countTurns<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly turns: number }> {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  try {
    return { value: await work(), turns }
  } finally {
    clearInterval(timer)
  }
}

const rows = (count: number): unknown =>
  Array.from({ length: count }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', null, true] }))

const record = (count: number): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, index]))

const deep = (): unknown => {
  let value: unknown = 'x'.repeat(10)
  for (let level = 0; level < 300; level += 1) value = { below: [value, 'x'.repeat(100)] }
  return Array.from({ length: 60 }, () => value)
}

const large: Readonly<Record<string, () => unknown>> = {
  'many rows': () => rows(30_000),
  'an object with many keys': () => record(120_000),
  'deep objects': deep,
  'a long text': () => ({ text: 'ä"\u0000 text '.repeat(700_000) }),
  'a text with halves of characters': () => `${'x'.repeat(262_143)}😀\ud83d${'😀'.repeat(900_000)}`,
  'a long key': () => ({ [`${'k'.repeat(9_000_000)}"`]: 1 }),
}

for (const [name, create] of Object.entries(large)) {
  test(`${name} as output are what JSON.stringify writes, and other work goes on`, async () => {
    const { invoker, add, log } = createHarness({ maxOutputBytes: 1_000_000_000 })
    const output = create()
    add('work', () => output)
    const { value, turns } = await countTurns(() => invoker.invoke('work', {}))
    const expected = JSON.stringify(output)
    if (!value.success || value.truncated) throw new Error(JSON.stringify(value).slice(0, 500))
    expect(value.outputText === expected).toBe(true)
    expect(JSON.stringify(value.output) === expected).toBe(true)
    expect(log.ends[0]?.outputText === expected).toBe(true)
    expect(turns).toBeGreaterThan(1)
  })

  test(`${name} as input are what JSON.stringify writes, and other work goes on`, async () => {
    const { invoker, add, log } = createHarness({ maxInputBytes: 1_000_000_000 })
    const given: unknown[] = []
    const input = create()
    add('work', (value) => void given.push(value), { inputSchema: z.unknown() })
    const { turns } = await countTurns(() => invoker.invoke('work', input))
    const expected = JSON.stringify(input)
    expect(JSON.stringify(given[0]) === expected).toBe(true)
    expect(log.starts[0]?.inputText === expected).toBe(true)
    if (typeof input === 'object') expect(given[0]).not.toBe(input)
    expect(turns).toBeGreaterThan(1)
  })
}

test.for([
  [16_384, 'at once'],
  [16_385, 'in slices'],
] as const)('%d numbers, of little text, are taken and written %s', async ([count, way]) => {
  const { invoker, add } = createHarness()
  const numbers = Array.from({ length: count }, () => 1)
  add('take', () => true, { inputSchema: z.unknown() })
  add('give', () => numbers)
  for (const [name, input] of [['take', numbers] as const, ['give', {}] as const]) {
    let turns = 0
    const beat = setTimeout(() => {
      turns += 1
    }, 0)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await invoker.invoke(name, input)).toMatchObject({ success: true, truncated: false })
    clearTimeout(beat)
    expect(turns).toBe(way === 'at once' ? 0 : 1)
  }
})

test('many small parts that JSON writes differently are described in slices for the log', async () => {
  const { invoker, add, log } = createHarness()
  add('work', () => ({ dates: Array.from({ length: 20_000 }, () => new Date(0)), at: new Map() }))
  const result = await invoker.invoke('work', {})
  expect(result).toMatchObject({ errorCode: 'OUTPUT_UNSERIALISABLE' })
  const { dates, at } = JSON.parse(log.ends[0]?.outputText ?? '') as Record<string, unknown>
  expect(dates).toHaveLength(20_000)
  expect(at).toBe('[Map]')
})

test('long texts are looked through for secrets in pieces, also where a secret lies across two', async () => {
  const secret = 'hunter22-hunter22'
  const redactor = createRedactor({ secrets: [secret] })
  let longest = 0
  const { invoker, add, log } = createHarness({
    maxOutputBytes: 1_000_000_000,
    redactor: {
      ...redactor,
      redactText: (text) => {
        longest = Math.max(longest, text.length)
        return redactor.redactText(text)
      },
    },
  })
  // Wherever a piece ends, a secret is near or across.
  const gaps = Array.from({ length: 20 }, (_, index) => 262_144 - index)
  const long = (inner: string): string[] =>
    gaps.map((gap) => `${'x'.repeat(gap)}${inner}${'x'.repeat(300_000)}`)
  add('work', () => ({ clean: 'y'.repeat(6_000_000), texts: long(secret) }))
  const result = await invoker.invoke('work', {})
  if (!result.success || result.truncated) throw new Error('not handed out')
  expect((result.output as { texts: unknown }).texts).toEqual(long('[redacted]'))
  expect(result.outputText).not.toContain('hunter')
  expect(log.ends[0]?.outputText).not.toContain('hunter')
  expect(longest).toBeLessThan(1_000_000)
})

test('a redactor that does not say how long secrets are is shown whole texts', async () => {
  const { maxSecretLength: _, ...redactor } = createRedactor({ secrets: ['a","b","c'] })
  const { invoker, add } = createHarness({ maxOutputBytes: 1_000_000_000, redactor })
  add('work', () => [...Array.from({ length: 300_000 }, () => 'x'), 'a', 'b', 'c'])
  expect(await invoker.invoke('work', {})).toMatchObject({ output: '[redacted]' })
})

test('an output that changes while it is written is handed out as it was written', async () => {
  const { invoker, add } = createHarness({ maxOutputBytes: 1_000_000_000 })
  const output = rows(30_000) as { id: number }[]
  add('work', () => {
    setTimeout(() => {
      for (const row of output) row.id = -1
    }, 1)
    return output
  })
  const result = await invoker.invoke('work', {})
  if (!result.success || result.truncated) throw new Error('not handed out')
  expect(JSON.stringify(result.output) === result.outputText).toBe(true)
})

test('a large output is cut to a preview with its whole size', async () => {
  const { invoker, add } = createHarness()
  const output = { text: 'ä'.repeat(8_000_000) }
  add('work', () => output)
  const result = await invoker.invoke('work', {})
  expect(result).toMatchObject({
    success: true,
    truncated: true,
    outputBytes: new TextEncoder().encode(JSON.stringify(output)).byteLength,
  })
})

test('secrets are taken out of large values, and what stands under secret keys out of their rows', async () => {
  const { invoker, add, log } = createHarness({
    redactor: createRedactor({ secrets: ['hunter22', '424242'] }),
    maxOutputBytes: 1_000_000_000,
    maxInputBytes: 1_000_000_000,
  })
  const value = {
    rows: rows(40_000),
    say: 'it is hunter22',
    hunter22: 1,
    '[redacted]': 2,
    number: 424242,
    token: 'abc',
  }
  add('work', () => value)
  const result = await invoker.invoke('work', value)
  if (!result.success || result.truncated) throw new Error('not handed out')
  expect(result.outputText).not.toMatch(/hunter22|424242/)
  expect(result.output).toMatchObject({
    say: 'it is [redacted]',
    '[redacted]': 1,
    '[redacted] (2)': 2,
    number: '[redacted]',
    token: 'abc',
  })
  expect(JSON.stringify(result.output) === result.outputText).toBe(true)
  for (const text of [log.starts[0]?.inputText, log.ends[0]?.outputText]) {
    expect(text).not.toMatch(/hunter22|424242|"abc"/)
    expect(JSON.parse(text ?? '')).toMatchObject({ token: '[redacted]' })
  }
})

test('a secret that spans several values of a large output gives up the whole', async () => {
  const { invoker, add } = createHarness({
    redactor: createRedactor({ secrets: ['alpha","omega'] }),
    maxOutputBytes: 1_000_000_000,
  })
  add('work', () => ({ rows: rows(40_000), pair: ['alpha', 'omega'] }))
  expect(await invoker.invoke('work', {})).toMatchObject({ output: '[redacted]' })
})

test('a large output that JSON cannot hold is refused with the place', async () => {
  const { invoker, add } = createHarness()
  add('work', () => ({ rows: rows(40_000), at: [new Map()] }))
  expect(await invoker.invoke('work', {})).toMatchObject({
    errorCode: 'OUTPUT_UNSERIALISABLE',
    error: expect.stringContaining('$.at[0] is a Map'),
  })
})

test('a large input that is not plain JSON is run as it is, and its row says so', async () => {
  const { invoker, add, log } = createHarness({ maxInputBytes: 1_000_000_000 })
  const given: unknown[] = []
  const input = { rows: rows(40_000), at: new Date(0) }
  add('work', (value) => void given.push(value), { inputSchema: z.unknown() })
  await invoker.invoke('work', input)
  expect(given[0]).toBe(input)
  expect(JSON.parse(log.starts[0]?.inputText ?? '')).toMatchObject({
    notPlainJson: true,
    input: { at: '1970-01-01T00:00:00.000Z' },
  })
})

test('the deadline is kept while a large output is written', async () => {
  const { invoker, add, log } = createHarness({ maxOutputLength: 1_000_000_000_000 })
  add('work', () => ({ rows: endless() }))
  const result = await invoker.invoke('work', {}, { timeoutMs: 100 })
  expect(result).toMatchObject({ success: false, errorCode: 'TIMEOUT' })
  expect(result.durationMs).toBeLessThan(100 + longestPauseMs)
  expect(log.ends).toMatchObject([{ status: 'timed_out' }])
  await vi.waitFor(() => expect(invoker.running()).toEqual([]))
})

test('a caller may cancel while a large output is written', async () => {
  const { invoker, add } = createHarness({ maxOutputLength: 1_000_000_000_000 })
  const controller = new AbortController()
  add('work', () => {
    setTimeout(() => controller.abort(), 20)
    return { rows: endless() }
  })
  expect(await invoker.invoke('work', {}, { signal: controller.signal })).toMatchObject({
    errorCode: 'CANCELLED',
  })
})

test('deadline and signal are kept while a large input is taken, and the tool does not run', async () => {
  for (const stop of ['deadline', 'signal'] as const) {
    const { invoker, add, log } = createHarness({ maxInputBytes: 1_000_000_000_000 })
    let hasRun = false
    add('work', () => {
      hasRun = true
    })
    const controller = new AbortController()
    if (stop === 'signal') setTimeout(() => controller.abort(), 20)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result: ToolResult = await invoker.invoke(
      'work',
      { rows: endless() },
      stop === 'deadline' ? { timeoutMs: 50 } : { signal: controller.signal },
    )
    expect(result).toMatchObject({ errorCode: stop === 'deadline' ? 'TIMEOUT' : 'CANCELLED' })
    expect(hasRun).toBe(false)
    expect(JSON.parse(log.starts[0]?.inputText ?? '')).toHaveProperty('inputNotTaken')
    // oxlint-disable-next-line no-await-in-loop
    await vi.waitFor(() => expect(invoker.running()).toEqual([]))
  }
})

test('an input that is too large is refused without being read to its end', async () => {
  const { invoker, add, log } = createHarness({ maxInputBytes: 2_000_000 })
  add('work', () => 1)
  expect(await invoker.invoke('work', { rows: endless() })).toMatchObject({
    errorCode: 'INPUT_TOO_LARGE',
  })
  expect(JSON.parse(log.starts[0]?.inputText ?? '')).toHaveProperty('inputTooLarge')
})

/** A list that nobody could read to its end. */
function endless(): unknown {
  return new Proxy([], {
    get: (target, key) => {
      if (key === 'length') return 2 ** 32 - 1
      return typeof key === 'string' && /^\d+$/.test(key) ? 'item' : Reflect.get(target, key)
    },
  })
}
