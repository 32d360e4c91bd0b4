import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameReader, encodeFrame } from './frame.ts'

const message = fc.record({
  type: fc.string(),
  id: fc.integer(),
  text: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme', minLength: 1020, maxLength: 1100 }),
  ),
  list: fc.array(fc.record({ part: fc.string({ minLength: 1000, maxLength: 1100 }) }), {
    maxLength: 3,
  }),
})

test('messages come out as they went in, however the pipe cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 4 }),
      fc.integer({ min: 1, max: 2000 }),
      (sent, size) => {
        const bytes = Buffer.concat(sent.map(encodeFrame))
        const received: unknown[] = []
        const reader = new FrameReader((found) => received.push(found))
        for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
        expect(received).toEqual(sent)
      },
    ),
    { numRuns: 100 },
  )
})

test('a frame that says it is larger than one may be is refused', () => {
  const reader = new FrameReader(() => undefined)
  expect(() => reader.push(Buffer.from([255, 255, 255, 255]))).toThrowError(RangeError)
})

test('a frame whose part reaches over its end is refused', () => {
  const reader = new FrameReader(() => undefined)
  expect(() => reader.push(Buffer.from([5, 0, 0, 0, 9, 0, 0, 0, 0]))).toThrowError(RangeError)
})
