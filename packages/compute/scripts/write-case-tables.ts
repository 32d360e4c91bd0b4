/**
 * Compares the tables of docs/divergences.md and docs/cel-conformance.md with the cases, or writes them anew:
 *
 *   node --conditions=@toolcrib/source packages/compute/scripts/write-case-tables.ts [--write]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compileCompute } from '../src/index.ts'
import {
  celReasonTable,
  celSectionTable,
  divergenceTable,
  readTable,
  replaceTable,
  sortCelCases,
  type Table,
} from '../test/case-tables.ts'

const sorted = sortCelCases(({ program, args }) => {
  try {
    compileCompute(program).run(args)
    return false
  } catch {
    return true
  }
})

const tables: readonly (readonly [string, string, Table])[] = [
  ['divergences.md', 'The decisions', divergenceTable()],
  ['cel-conformance.md', 'By section', celSectionTable(sorted)],
  ['cel-conformance.md', 'By reason', celReasonTable(sorted)],
]

for (const [name, heading, table] of tables) {
  const file = new URL(`../docs/${name}`, import.meta.url)
  const page = readFileSync(file, 'utf8')
  const isCurrent = JSON.stringify(readTable(page, heading)) === JSON.stringify(table)
  if (!isCurrent && process.argv.includes('--write'))
    writeFileSync(file, replaceTable(page, heading, table))
  else if (!isCurrent) process.exitCode = 1
  process.stdout.write(`${name}, ${heading}: ${isCurrent ? 'current' : 'differs'}\n`)
}
