import type { ComputeOptions } from './compile-compute.ts'
import { compileNumber } from './compile-expression.ts'
import { errorOf } from './compute-issue.ts'
import { resolveLimits } from './compute-limits.ts'
import { describeType } from './json-value.ts'
import { prepareArguments, reportUnassigned } from './load-arguments.ts'
import { parseExpression } from './parse-expression.ts'
import { VariableTable } from './variable-name.ts'

/**
 * Works out one math expression, parsing it each time. For an expression that is used often, put it
 * into a program and compile that.
 *
 * @param expression - for example `price * (1 + rate)`
 * @param variables - numbers by name
 * @param options - limits
 * @returns a finite number, never negative zero
 * @throws {ComputeError} bad_token, bad_name, reserved_name, unknown_variable, type, bad_argument, division_by_zero, overflow, precision or limit
 */
export function evaluateMathExpression(
  expression: string,
  variables: Readonly<Record<string, number>> = {},
  options: Pick<ComputeOptions, 'limits'> = {},
): number {
  const limits = resolveLimits(options.limits)
  if (typeof expression !== 'string') {
    throw errorOf('expression', {
      code: 'bad_argument',
      message: `an expression must be a text, got ${describeType(expression)}`,
      hint: 'Pass a text such as "price * 2".',
    })
  }
  const table = new VariableTable()
  const site = { path: 'expression', text: expression }
  const parsed = parseExpression(site, { grammar: 'math', limits, variables: table })
  const { names } = table
  const load = prepareArguments(names, names, { limits, root: 'variables' })
  return compileNumber(parsed, { site, unassigned: reportUnassigned(names) })(load(variables)) + 0
}
