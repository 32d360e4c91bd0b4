import { errorOf } from '../language/compute-issue.ts'
import { Decimal } from '../values/decimal.ts'
import { exactNumber } from '../values/decimal-text.ts'
import { Fault } from '../values/fault.ts'
import { copyValue } from '../values/json-value.ts'
import { checkDeclared } from './check-declared.ts'
import { lengthOf } from './read-data.ts'
import type { Run } from './run.ts'

/**
 * Arrays and decimals of the program as plain data. Arrays that are too deep or too many stay as they are, for the
 * copying that follows to refuse.
 */
class ResultSettler {
  readonly #run: Run
  #count = 0

  constructor(run: Run) {
    this.#run = run
  }

  settle(value: unknown, depth = 0): unknown {
    if (value instanceof Decimal) return toJsonNumber(value)
    if (!Array.isArray(value)) return value
    const { limits } = this.#run.program
    const length = lengthOf(value, limits)
    this.#count += length
    if (depth >= limits.maxNesting || this.#count > limits.maxReturnedValues) return value
    return Array.from({ length }, (_, index) => this.settle(value[index], depth + 1))
  }
}

function toJsonNumber(value: Decimal): number {
  const number = exactNumber(value)
  if (number !== undefined) return number
  throw new Fault(
    'precision',
    'a number of the result has more digits than a JSON number keeps',
    'Round it with round(x, 2), or return its text with string(x).',
  )
}

/** Numbers and arrays of a returned value as plain data. */
export const settleResult = (run: Run, value: unknown): unknown =>
  new ResultSettler(run).settle(value)

/**
 * The result as a copy that shares nothing with the arguments, checked against the declared output.
 *
 * @param path - of the returned value, for errors
 * @throws {ComputeError} bad_argument, precision, limit, bad_output
 */
export function finishResult({ program }: Run, value: unknown, path: string): unknown {
  const { limits, output } = program
  const result = copyValue(value, { path, label: 'result', limits })
  return output === undefined
    ? result
    : checkDeclared(result, output, {
        label: 'result',
        place: {
          limits,
          check: (part) => part,
          error: (_, problem) => errorOf(path, { code: 'bad_output', ...problem }),
        },
      })
}
