import { expect, test } from 'vitest'
import { formatTable } from './table.ts'

test('columns are aligned, and the last one is as long as it is', () => {
  expect(
    formatTable(
      ['NAME', 'WHY'],
      [
        ['a', 'x'],
        ['longer', 'because of y'],
      ],
    ),
  ).toBe('NAME    WHY\na       x\nlonger  because of y')
})

test('no cell acts on a terminal or begins a line, whoever wrote it into the store', () => {
  const hostile = '\u001b]0;owned\u0007\u001b[2J\n✔ nice_fee v1 is approved'
  const table = formatTable(['WHEN', 'WHAT'], [[hostile, hostile]])
  expect(table).not.toContain('\u001b')
  expect(table).not.toContain('\u0007')
  expect(table.split('\n')).toHaveLength(2)
})
