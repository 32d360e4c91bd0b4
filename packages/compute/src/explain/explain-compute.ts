import { type ComputeOptions, inspectProgram, resolveOptions } from '../check/inspect-program.ts'
import { throwIssues } from '../language/compute-issue.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import type { Program } from '../language/program.ts'
import { describeDeclaration } from './describe-declaration.ts'
import { StepDescriber } from './describe-steps.ts'
import type { ExplanationLine } from './explanation-line.ts'
import { showQuoted } from './show-text.ts'
import { valueText } from './value-text.ts'

const line = (path: string, subject: string, sentence: string): ExplanationLine => ({
  path,
  depth: 0,
  sentence,
  subject,
})

function* describeInputs(
  { inputs, names }: Program,
  inputSlots: readonly number[],
): Generator<ExplanationLine, void> {
  if (inputs === undefined) {
    for (const slot of inputSlots) {
      const name = names[slot] ?? ''
      yield line(`args.${name}`, `input ${name}`, `Takes ${name}: any value.`)
    }
    return
  }
  for (const { name, declaration } of inputs) {
    const place = { path: `inputs.${name}`, depth: 0, subject: `input ${name}` }
    yield* describeDeclaration(declaration, place, `Takes ${name}: `)
  }
}

function describeNumbers({ decimal, rounding }: Program): ExplanationLine {
  const numbers = decimal
    ? 'exact decimals; what has no end is rounded to 34 digits'
    : 'binary floating-point numbers of about 15 digits'
  const ties = rounding === 'half_up' ? 'away from zero' : 'to the even digit'
  return line('numbers', 'numbers', `Calculates with ${numbers}. Ties are rounded ${ties}.`)
}

function describeCost(units: number | undefined, { limits }: Program): ExplanationLine {
  const most = limits.maxRunUnits
  const sentence =
    units === undefined
      ? `How much work a run does depends on the size of its arguments; it is stopped at ${most} units.`
      : `A run does at most ${Math.ceil(units)} units of work; it is stopped at ${most}.`
  return line('', 'cost', sentence)
}

function* describeProgram(
  program: Program,
  {
    inputSlots,
    units,
  }: { readonly inputSlots: readonly number[]; readonly units: number | undefined },
): Generator<ExplanationLine, void> {
  const { logic, tables, output, steps } = program
  if (logic.description !== undefined) {
    const sentence = `The author says: ${showQuoted(logic.description)}.`
    yield line('description', 'description', sentence)
  }
  yield* describeInputs(program, inputSlots)
  for (const { name, value } of tables) {
    yield line(`tables.${name}`, `table ${name}`, `Has the table ${name}: ${valueText(value)}.`)
  }
  yield describeNumbers(program)
  yield* new StepDescriber(program).lines(steps, 0)
  if (output !== undefined) {
    const place = { path: 'output', depth: 0, subject: 'output' }
    yield* describeDeclaration(output, place, 'What it gives back must be: ')
  }
  yield describeCost(units, program)
}

/**
 * Says a program in plain sentences, for a reviewer who does not write code: what it takes, its tables, how it
 * calculates, every step, what it gives, and the work of a run. Nothing is left out or cut: two programs that do
 * different things have different lines. Text of the program stands in double quotes, expressions as they are
 * written in backticks, both with everything invisible escaped, so that none can pass for a sentence.
 *
 * @param logic - the program
 * @param options - as for `compileCompute`
 * @returns the lines in reading order
 * @throws {ComputeError} with every problem of the program, if it has any
 */
export function explainCompute(
  logic: ComputeLogic,
  options: ComputeOptions = {},
): readonly ExplanationLine[] {
  const inspection = inspectProgram(logic, resolveOptions(options))
  throwIssues(inspection.errors)
  return [...describeProgram(inspection.program, inspection)]
}
