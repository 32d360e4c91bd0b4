import { expect, test } from 'vitest'
import { formatProblem, readProblems } from './source-problems.ts'

const checks = [
  { name: 'definition', pass: true, message: 'line 1, column 1: fine' },
  {
    name: 'call.eval',
    pass: false,
    message: 'line 3, column 14: eval is not there.\nSay it otherwise.',
  },
  {
    name: 'syntax',
    pass: false,
    message: 'toolcrib:lib/rates@2, line 7, column 1: Unexpected token',
  },
  { name: 'can-be-tried', pass: false, message: 'code needs at least one passing example.' },
]

test('failed checks of a source say file, line, column, rule and message, as data and as a compiler does', () => {
  const problems = readProblems(checks, 'src/tool.ts')
  expect(problems).toEqual([
    {
      file: 'src/tool.ts',
      line: 3,
      column: 14,
      rule: 'call.eval',
      message: 'eval is not there.\nSay it otherwise.',
    },
    {
      file: 'toolcrib:lib/rates@2',
      line: 7,
      column: 1,
      rule: 'syntax',
      message: 'Unexpected token',
    },
    {
      file: 'src/tool.ts',
      rule: 'can-be-tried',
      message: 'code needs at least one passing example.',
    },
  ])
  expect(problems.slice(1).map(formatProblem)).toEqual([
    'toolcrib:lib/rates@2:7:1: syntax: Unexpected token',
    'src/tool.ts: can-be-tried: code needs at least one passing example.',
  ])
})
