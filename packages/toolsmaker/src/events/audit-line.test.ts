import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RowPlace, checkRow, decodeRow, encodeRow, genesisHash } from './audit-line.ts'

// Reading the event out of a checked row must give what reading the whole row as JSON gives, whoever wrote the row.

const event = {
  type: 'tools_paused',
  at: '2030-01-01T00:00:00.000Z',
  actor: { kind: 'person', id: 'grace' },
  reason: 'a ü€😀 "event":{ \\" }\n',
} as const
const text = JSON.stringify(event)

/** What may stand behind `"event":` in a row, whose last brace comes behind it. */
const tails: readonly string[] = [
  text,
  ` ${text} `,
  `${text},"event":{"type":"tools_resumed"}`,
  `{"type":"tools_resumed"},"event":${text}`,
  `${text},"ev\\u0065nt":{"type":"tools_resumed"}`,
  `${text},"more":{"event":1}`,
  `${text}}`,
  text.slice(0, -1),
  `${text}{`,
  `${text},`,
  `[${text}]`,
  `"${'x'.repeat(20)}"`,
  'null',
  '1e999',
  '',
  text.replace('"reason"', '"type":"tools_resumed","reason"'),
  text.replace('"reason"', '"__proto__":{"x":1},"reason"'),
  text.replace('grace', 'gr\u0000ace'),
]

/** What may stand before it; `H` stands for the hash of the row before. */
const heads: readonly string[] = [
  '"end":true,"sequence":2,"previous":"H","event":',
  '"end":false,"sequence":2,"previous":"H","event":',
  '"end":nulll,"sequence":2,"previous":"H","event":',
  '"x":{"y":1,"sequence":2,"previous":"H","event":',
  '"end":true,"sequence":2,"previous":"H", "event":',
  '"end":true,"sequence":2,"previous":"H","event":{},"event":',
  '"end":true,"sequence":02,"previous":"H","event":',
]

/** What the row before may call its hash, if it is not what it is. */
const claims = [
  undefined,
  'f'.repeat(64),
  `x","event":{},"y":"${'z'.repeat(45)}`,
  `${'z'.repeat(63)}\\`,
  `x","y":{"z":"${'z'.repeat(51)}`,
]

function readWhole(bytes: Buffer): unknown {
  try {
    return (JSON.parse(bytes.toString('utf8')) as { event?: unknown }).event
  } catch {
    return undefined
  }
}

/** The place behind a first row that may lie about its hash. */
function placeBehind(claim: string | undefined): RowPlace {
  const previous = genesisHash('default')
  const { line } = encodeRow({ sequence: 1, previous, end: true, event })
  const row = claim === undefined ? line : line.replace(/^.{9}[0-9a-f]{64}/, `{"hash":"${claim}`)
  return checkRow(Buffer.from(row.slice(0, -1)), { sequence: 1, previous }).next
}

test('the event of a row is the one that the whole row has as JSON, however the row was forged', () => {
  const rows = fc.record({
    head: fc.constantFrom(...heads),
    tail: fc.oneof(fc.constantFrom(...tails), fc.string({ unit: 'binary' }), fc.json()),
    claim: fc.constantFrom(...claims),
    broken: fc.boolean(),
  })
  fc.assert(
    fc.property(rows, ({ broken, claim, head, tail }) => {
      const place = placeBehind(claim)
      const body = Buffer.from(`${head.replace('H', place.previous ?? '')}${tail}}`)
      // Bytes that are no text.
      if (broken && body.length > 150) body[150] = 0xc3
      const row = Buffer.concat([Buffer.from(`{"hash":"${hash('sha256', body)}",`), body])
      const { eventStart } = checkRow(row, place)
      expect(decodeRow(row, eventStart)).toEqual(readWhole(row))
    }),
    { numRuns: 1_000 },
  )
})

test('where the event of a row of our own begins is known once the row is checked', () => {
  const place = placeBehind(undefined)
  const previous = String(place.previous)
  const { line, rowHash } = encodeRow({ sequence: 2, previous, end: false, event })
  const bytes = Buffer.from(line.slice(0, -1))
  const { digest, eventStart } = checkRow(bytes, place)
  expect(digest).toBe(rowHash)
  expect(bytes.toString('utf8', eventStart)).toBe(`${text}}`)
  expect(decodeRow(bytes, eventStart)).toEqual(event)
})
