import { expect, test } from 'vitest'
import { shownSource as layOutSource } from './shown-source.ts'

const shownSource = (source: string): readonly string[] => layOutSource(source, 120)

test('lines are numbered as problems name them, also those of other systems', () => {
  expect(shownSource('a\r\n  b\nc\n')).toEqual(['1 │ a', '2 │   b', '3 │ c'])
  expect(shownSource('x\n'.repeat(10))[0]).toBe(' 1 │ x')
})

test('code that is pushed off the screen is seen', () => {
  const [line = ''] = shownSource(`export default () => 1;${' '.repeat(5_000)}globalThis.x = 1`)
  expect(line).toBe('1 │ export default () => 1; ⟨5000 blanks⟩ globalThis.x = 1')
  expect(shownSource(`${' '.repeat(200)}evil()`)).toEqual(['1 │  ⟨200 blanks⟩ evil()'])
  expect(shownSource(`${' '.repeat(44)}deep()`)).toEqual([`1 │ ${' '.repeat(44)}deep()`])
})

test('characters that act on a terminal or reorder text are escapes', () => {
  const [line = ''] = shownSource('// \u001b[1A\u001b[2K \u202e hidden \u{e0041}')
  expect(line).toBe(String.raw`1 │ // \u{1b}[1A\u{1b}[2K \u{202e} hidden \u{e0041}`)
})
