import { expect, test } from 'vitest'
import { changedLines } from './show-review.ts'

const frame = ['='.repeat(67), '--- tool v1 source', '+++ tool v2 source']

test('the changed lines of a diff are shown whatever they begin with, and its frame is not', () => {
  const changed = [
    '---n',
    '--- drop table of_x',
    '+++n',
    '+++ b/tool v2 source',
    '+@@ -1,1 +1,1 @@',
  ]
  const first = [...frame, '@@ -1,4 +1,5 @@', ' let n = 1', ...changed, ' kept']
  const second = [...frame, '@@ -1 +1 @@', '-one', '\\ No newline at end of file', '+two']
  expect(changedLines(`${[...first, ...second].join('\n')}\n`)).toEqual([
    ...changed,
    '-one',
    '+two',
  ])
})

test('a text cannot end a part of a diff before its end', () => {
  const first = ['@@ -1,3 +1,3 @@', ' @@ -0,0 +0,0 @@', '-line', '+++ hidden', ' end']
  const second = ['@@ -20,1 +20,0 @@', '-last']
  expect(changedLines([...frame, ...first, ...second, ''].join('\n'))).toEqual([
    '-line',
    '+++ hidden',
    '-last',
  ])
  expect(changedLines([...frame, '@@ -0,0 +1,1 @@', '+only'].join('\n'))).toEqual(['+only'])
})
