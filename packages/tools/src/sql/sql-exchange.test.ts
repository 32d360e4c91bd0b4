import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SqlAnswer, SqlExchange } from './sql-exchange.ts'

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

function columns(...names: string[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(names.length)
  const fields = names.map((name) => {
    const facts = Buffer.alloc(18)
    facts.writeUInt32BE(25, 6)
    return Buffer.concat([Buffer.from(`${name}\0`), facts])
  })
  return message('T', Buffer.concat([count, ...fields]))
}

function row(text: string): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(1)
  head.writeInt32BE(Buffer.byteLength(text), 2)
  return message('D', Buffer.concat([head, Buffer.from(text)]))
}

const done = Buffer.concat([
  message('C', Buffer.from('SELECT 1\0')),
  message('Z', Buffer.from('I')),
])

function read(chunks: readonly Buffer[], limits = { maxRows: 10, maxBytes: 10_000 }): Result {
  const result: { cancels: number; answer: SqlAnswer | undefined } = {
    cancels: 0,
    answer: undefined,
  }
  const exchange = new SqlExchange({
    limits,
    ownStatements: 0,
    peer: {
      cancel: () => {
        result.cancels += 1
      },
    },
  })
  for (const chunk of chunks) exchange.feed(chunk)
  return { ...result, answer: exchange.answer }
}

interface Result {
  readonly cancels: number
  readonly answer: SqlAnswer | undefined
}

test('however the bytes are cut, the answer is the same', () => {
  const bytes = Buffer.concat([
    message('1', Buffer.alloc(0)),
    message('2', Buffer.alloc(0)),
    columns('a'),
    row('first é'),
    message('N', Buffer.from('SNOTICE\0\0')),
    row(''),
    row('x'.repeat(50_000)),
    row('last'),
    done,
  ])
  const whole = read([bytes]).answer
  expect(whole).toMatchObject({ rows: [{ a: 'first é' }, { a: '' }], truncated: true, status: 'I' })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 40 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
      expect(read(chunks).answer).toEqual(whole)
    }),
  )
})

test('a value that is bigger than its limit is not kept while it arrives', () => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(1_000_000_000 + 4)
  const exchange = new SqlExchange({
    limits: { maxRows: 10, maxBytes: 10_000 },
    ownStatements: 0,
    peer: { cancel: () => undefined },
  })
  exchange.feed(columns('a'))
  exchange.feed(Buffer.concat([Buffer.from('D'), length]))
  const before = process.memoryUsage().arrayBuffers
  const chunk = Buffer.alloc(1_000_000)
  for (let count = 0; count < 1000; count += 1) exchange.feed(chunk)
  exchange.feed(done)
  expect(exchange.answer).toMatchObject({ rows: [], truncated: true })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
})

test('a statement that goes on sending is cancelled once', () => {
  const big = row('x'.repeat(1_000_000))
  expect(read([columns('a'), ...Array.from({ length: 15 }, () => big), done]).cancels).toBe(0)
  expect(read([columns('a'), ...Array.from({ length: 40 }, () => big), done]).cancels).toBe(1)
})

test('bytes are counted as JSON to the byte, also where text needs escaping', () => {
  const rows = ['plain', '"\\\n', '\u0001', 'é😀'].map((text) => ({ a: text }))
  const exact = Buffer.byteLength(JSON.stringify(rows)) + 1
  const bytes = Buffer.concat([columns('a'), ...rows.map(({ a }) => row(a)), done])
  expect(read([bytes], { maxRows: 10, maxBytes: exact }).answer?.truncated).toBe(false)
  expect(read([bytes], { maxRows: 10, maxBytes: exact - 1 }).answer).toMatchObject({
    truncated: true,
    rows: rows.slice(0, 3),
  })
})
