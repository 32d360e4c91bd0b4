import { type ToolResult, type ToolSchema, ToolRegistry } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { RecordingLog } from '../../test/recording-log.ts'
import { createInvoker } from '../create-invoker.ts'

interface Setup {
  /** What the tool was given, in order. */
  readonly given: unknown[]
  readonly invoke: (input: unknown) => Promise<ToolResult>
  readonly loggedInput: () => unknown
}

function setUp(inputSchema: ToolSchema, beforeStart: () => void = () => {}): Setup {
  const registry = new ToolRegistry()
  const given: unknown[] = []
  const log = new RecordingLog()
  log.before = async (row) => {
    if (row !== 'start') return
    beforeStart()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  registry.register({
    name: 'pay',
    description: 'Pays',
    inputSchema,
    execute: (input) => {
      given.push(input)
      return 'done'
    },
  })
  const invoker = createInvoker({ registry, log })
  return {
    given,
    invoke: (input) => invoker.invoke('pay', input),
    loggedInput: () => JSON.parse(log.starts[0]?.inputText ?? '"no row"') as unknown,
  }
}

const schemas: Readonly<Record<string, ToolSchema>> = {
  'a JSON Schema': { type: 'object' },
  'a schema that passes everything on': z.unknown(),
  'a schema of objects': z.looseObject({ sum: z.number() }),
  'an asynchronous schema': z.looseObject({ sum: z.number() }).refine(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return true
  }),
}

for (const [name, schema] of Object.entries(schemas))
  test(`what a caller changes after the call is not run, with ${name}`, async () => {
    const input = { sum: 1, to: { iban: 'mine' }, items: [{ price: 1 }] }
    const { invoke, given, loggedInput } = setUp(schema, () => {
      input.to.iban = 'yours later'
    })
    const pending = invoke(input)
    input.sum = 1_000
    input.to.iban = 'yours'
    ;(input.items[0] as { price: number }).price = 1_000
    input.items.push({ price: 2 })
    await pending
    expect(given).toEqual([{ sum: 1, to: { iban: 'mine' }, items: [{ price: 1 }] }])
    expect(loggedInput()).toEqual(given[0])
  })

test('a getter is read once, and what it gave then is run and logged', async () => {
  let reads = 0
  const input = {
    get sum() {
      reads += 1
      return reads
    },
  }
  const { invoke, given, loggedInput } = setUp({ type: 'object' })
  await invoke(input)
  expect(reads).toBe(1)
  expect(given).toEqual([{ sum: 1 }])
  expect(loggedInput()).toEqual({ sum: 1 })
})

test('a proxy that shows each reader something else is read once', async () => {
  let reads = 0
  const shifty = new Proxy(
    { sum: 0, list: [0, 0] },
    { get: (target, key) => (key === 'sum' ? (reads += 1) : Reflect.get(target, key)) },
  )
  const { invoke, given, loggedInput } = setUp(z.looseObject({ sum: z.number() }))
  await invoke(shifty)
  expect(given).toEqual([{ sum: 1, list: [0, 0] }])
  expect(loggedInput()).toEqual({ sum: 1, list: [0, 0] })
})

test('a list that claims to grow for ever ends', async () => {
  let length = 1
  const growing = new Proxy([], {
    get: (_target, key) => (key === 'length' ? (length += 1) : null),
  })
  const { invoke } = setUp(z.unknown())
  await invoke({ growing })
  expect(length).toBeLessThan(100)
})

test('a name that would change the prototype stays a name', async () => {
  const { invoke, given, loggedInput } = setUp({ type: 'object' })
  await invoke(JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":1}}'))
  expect(Object.getPrototypeOf(given[0])).toBe(Object.prototype)
  expect(JSON.stringify(given[0])).toBe('{"__proto__":{"admin":true},"a":{"__proto__":1}}')
  expect(JSON.stringify(loggedInput())).toBe(JSON.stringify(given[0]))
})

test('properties that are undefined stay, and the row leaves them out', async () => {
  const { invoke, given, loggedInput } = setUp(z.unknown())
  await invoke({ sum: 1, note: undefined })
  expect(given).toStrictEqual([{ sum: 1, note: undefined }])
  expect(loggedInput()).toEqual({ sum: 1 })
})

test('what JSON does not write does not reach the tool beside what it writes', async () => {
  const { invoke, given } = setUp(z.unknown())
  const hidden = Object.defineProperty({ sum: 1 }, 'secretly', { value: 2, enumerable: false })
  await invoke(Object.assign(hidden, { [Symbol('more')]: 3 }))
  expect(Reflect.ownKeys(given[0] as object)).toEqual(['sum'])
})

test('a schema that changes what it is given changes what is run, not what was logged', async () => {
  const schema = z.object({ sum: z.number() }).transform((input) => {
    input.sum *= 2
    return input
  })
  const { invoke, given, loggedInput } = setUp(schema)
  const input = { sum: 21 }
  await invoke(input)
  expect(input).toEqual({ sum: 21 })
  expect(given).toEqual([{ sum: 42 }])
  expect(loggedInput()).toEqual({ sum: 21 })
})

test('secrets are taken out of what is logged and not of what is run', async () => {
  const { invoke, given, loggedInput } = setUp(z.unknown())
  await invoke({ password: 'hunter22' })
  expect(given).toEqual([{ password: 'hunter22' }])
  expect(loggedInput()).toEqual({ password: '[redacted]' })
})

test('an input that is not plain JSON is run as it is, and its row says so', async () => {
  class Money {
    readonly cents = 5
  }
  const inputs: unknown[] = [
    { at: new Date(0) },
    { money: new Money() },
    { map: new Map([['a', 1]]) },
    { list: [undefined] },
    { big: 10n },
    { nan: Number.NaN },
    { work: () => 1 },
    { bytes: new Uint8Array(2) },
    Object.create({ inherited: 1 }) as object,
    new Date(0),
    7n,
  ]
  for (const input of inputs) {
    const { invoke, given, loggedInput } = setUp(z.unknown())
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a failure names its input
    await invoke(input)
    expect(given[0]).toBe(input)
    expect(loggedInput()).toMatchObject({ notPlainJson: true })
  }
})

test('the row of an input that is not plain JSON describes it without its secrets', async () => {
  const { invoke, loggedInput } = setUp(z.unknown())
  await invoke({ at: new Date(0), password: 'hunter22', big: 1n })
  expect(loggedInput()).toEqual({
    notPlainJson: true,
    input: { at: '1970-01-01T00:00:00.000Z', password: '[redacted]', big: '[BigInt 1]' },
  })
})
