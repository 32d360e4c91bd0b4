import { expect, test } from 'vitest'
import { tellsWhole } from './told-texts.ts'

const definition = {
  op: 'lookup',
  value: 'an answer\nof two lines',
  'a key': ['hidden\u200B text'],
}
const steps = ['Gives "an answer" or "of  two\n lines".', 'Has a key and hidden⟨U+200B⟩ text.']

test('steps tell all of a definition when each line of each text stands in them', () => {
  expect(tellsWhole(steps, definition)).toBe(true)
  expect(tellsWhole(steps.slice(0, 1), definition)).toBe(false)
  expect(tellsWhole(steps, { ...definition, 'another key': 1 })).toBe(false)
  expect(tellsWhole([], {})).toBe(false)
})

test.each([
  'Set a to b… (12 more characters: read the source)',
  '… and 7 more lines are not shown: read the source.',
  'text "x" … (cut: 300 of 900 characters are shown)',
  'NOT SHOWN: 9 more lines, which are all but the first 2 of 8 paragraphs.',
  'a.b.c: "(more than 40 levels deep)"',
])('steps that say that something is left out do not: %s', (cut) => {
  expect(tellsWhole([...steps, cut], definition)).toBe(false)
})

test('nor are more than 500 texts looked for', () => {
  const texts = Array.from({ length: 501 }, (_, index) => `text no ${index}`)
  const told = [texts.join(', ')]
  expect(tellsWhole(told, texts.slice(1))).toBe(true)
  // The same one again costs nothing.
  expect(tellsWhole(told, [...texts.slice(1), 'text no 7'])).toBe(true)
  expect(tellsWhole(told, texts)).toBe(false)
})
