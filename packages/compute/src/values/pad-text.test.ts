import { expect, test } from 'vitest'
import { padText } from './pad-text.ts'

const start = { width: 5, fill: ' ', side: 'start', maxLength: 100 }
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })

test('fills before or after the text, counting code points', () => {
  expect(padText('7', start)).toBe('    7')
  expect(padText('7', { ...start, fill: '0' })).toBe('00007')
  expect(padText('7', { ...start, side: 'end' })).toBe('7    ')
  expect(padText('😀', { ...start, fill: '🙂', width: 3 })).toBe('🙂🙂😀')
})

test('a text that is wide enough stays as it is', () => {
  expect(padText('123456', start)).toBe('123456')
  expect(padText('12345', start)).toBe('12345')
  expect(padText('', { ...start, width: 0 })).toBe('')
})

test.each([
  ['a negative width', { width: -1 }],
  ['a fractional width', { width: 1.5 }],
  ['a width beyond the limit', { width: 1e9 }],
  ['no fill', { fill: '' }],
  ['a long fill', { fill: 'ab' }],
  ['an unknown side', { side: 'left' }],
])('%s is refused', (_, wrong) => {
  expect(() => padText('7', { ...start, ...wrong })).toThrow(code('bad_value'))
})

test('a fill of two units counts as two against the limit', () => {
  expect(() => padText('', { ...start, width: 51, fill: '🙂' })).toThrow(code('limit'))
  expect(padText('', { ...start, width: 50, fill: '🙂' })).toHaveLength(100)
})
