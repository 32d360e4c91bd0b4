import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workflowProblemCodes } from '../src/workflow.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const tests = [
  'bad-workflows',
  'hostile-workflows',
  'check/check-secrets',
  'ignored-parameters',
  'rules-in-code',
]
  .map((name) => readFileSync(join(import.meta.dirname, `../src/${name}.test.ts`), 'utf8'))
  .join('\n')

test('the table of codes in the README is that of the code', () => {
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` *\| (?:error|warning) *\| (.*?) *\|$/gm)]
  expect(Object.fromEntries(rows.map(([, code, text]) => [code, text]))).toEqual(
    workflowProblemCodes,
  )
})

test('every code has a workflow that gets it', () => {
  const missing = Object.keys(workflowProblemCodes).filter((code) => !tests.includes(`'${code}'`))
  expect(missing).toEqual([])
})
