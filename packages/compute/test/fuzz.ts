/**
 * Compares the engine with the walker on many random programs, every hundredth time on eight that take turns:
 * `pnpm fuzz [count] [first seed]`. Ends with an error at the first that differ.
 */
import { throwUnexpected } from './throw-unexpected.ts'
import { compareEngine, compareInTurns, type Outcome } from './compare-engine.ts'

throwUnexpected()

const [count = 1_000_000, first = Math.floor(Math.random() * 2 ** 31)] = process.argv
  .slice(2)
  .map(Number)
const counts: Record<Outcome, number> = { refused: 0, value: 0, error: 0 }
const begin = performance.now()
const report = (done: number): void => {
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0)
  process.stdout.write(
    `${done} programs from seed ${first} in ${seconds} s: ${JSON.stringify(counts)}\n`,
  )
}
for (let index = 0; index < count; index += 1) {
  counts[compareEngine(first + index)] += 1
  if (index % 100 === 99) compareInTurns(first + index)
  if (index % 100_000 === 99_999) report(index + 1)
}
report(count)
