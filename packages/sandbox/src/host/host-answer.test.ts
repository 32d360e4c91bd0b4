import { expect, test } from 'vitest'
import { describeError, describeResult } from './host-answer.ts'

const throwing = new Proxy(new Error('inside'), {
  get: () => {
    throw new Error('get')
  },
  getPrototypeOf: () => {
    throw new Error('prototype')
  },
})

test.for<[string, unknown, string]>([
  ['null', null, 'The operation failed'],
  [
    'a message that is no text',
    Object.assign(new Error('x'), { message: 42 }),
    'The operation failed',
  ],
  ['no name', Object.assign(new Error('x'), { name: undefined }), 'x'],
  ['a code that is an object', Object.assign(new Error('x'), { code: {} }), 'x'],
  ['a proxy that throws', throwing, 'The operation failed'],
])('an operation may throw %s', ([, error, text]) => {
  expect(describeError(1, error)).toEqual({
    id: 1,
    isDone: false,
    text,
    name: expect.any(String),
    code: '',
  })
})

const describeAt = (value: unknown, maxBytes: number): string =>
  describeResult(value, { id: 1, operation: 'o', maxBytes }).code

test('a result may have as many bytes as it may, as JSON text', () => {
  expect(describeAt({ text: 'ä' }, 13)).toBe('')
  expect(describeAt({ text: 'ä' }, 12)).toBe('RESULT_TOO_LARGE')
})

test('a result that is much too large is refused before it is written', () => {
  const field = { toJSON: () => expect.unreachable('it was written') }
  expect(describeAt({ field, text: 'x'.repeat(1000) }, 100)).toBe('RESULT_TOO_LARGE')
})
