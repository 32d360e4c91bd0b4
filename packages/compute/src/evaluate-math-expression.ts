import { type ComputeOptions, resolveOptions } from './check/inspect-program.ts'
import { errorOf } from './language/compute-issue.ts'
import type { Program } from './language/program.ts'
import { valueTypes } from './language/value-type.ts'
import { ExpressionParser } from './read/parse-expression.ts'
import { VariableTable } from './read/variable-table.ts'
import { describeType } from './values/json-value.ts'
import { ExpressionWalker } from './walk/evaluate-expression.ts'
import { loadFrom } from './walk/load-arguments.ts'
import { Run } from './walk/run.ts'

/**
 * Works out one expression that gives a number, parsing it each time. For an expression that is used often, put it
 * into a program and compile that.
 *
 * @param expression - for example `price * (1 + rate)`
 * @param variables - values by name
 * @param options - limits
 * @returns a finite number, never negative zero
 * @throws {ComputeError} bad_token, bad_name, reserved_name, unknown_variable, unknown_function, wrong_arguments, unknown_key,
 *   type, bad_argument, bad_value, division_by_zero, overflow, precision or limit
 */
export function evaluateMathExpression(
  expression: string,
  variables: Readonly<Record<string, unknown>> = {},
  options: Pick<ComputeOptions, 'limits'> = {},
): number {
  const { limits } = resolveOptions(options)
  if (typeof expression !== 'string') {
    throw errorOf('expression', {
      code: 'bad_argument',
      message: `an expression must be a string, got ${describeType(expression)}`,
      hint: 'Pass a string such as "price * 2".',
    })
  }
  const table = new VariableTable()
  const site = { path: 'expression', text: expression }
  const parsed = new ExpressionParser({ limits, variables: table }).parse(site)
  const program: Program = {
    steps: [],
    names: table.names,
    stepCount: 0,
    limits,
    logic: { steps: [] },
    inputs: undefined,
    tables: [],
    output: undefined,
    decimal: false,
    rounding: 'half_up',
  }
  const frame = loadFrom('variables', { program, inputSlots: table.variableSlots() }, variables)
  const walker = new ExpressionWalker(new Run(program, frame), site)
  return walker.typed(walker.value(parsed), valueTypes.number, parsed) as number
}
