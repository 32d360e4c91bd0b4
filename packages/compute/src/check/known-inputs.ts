import type { ComputeError } from '../language/compute-error.ts'
import { errorOf, type IssueCollector } from '../language/compute-issue.ts'
import type { ProgramInput } from '../language/program.ts'
import { nameProblem } from '../read/variable-table.ts'
import { suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { describeType } from '../values/json-value.ts'

/** The names that `options.inputs` gives; undefined where there is no such option. */
export function resolveInputs(
  inputs: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (inputs === undefined) return undefined
  if (!Array.isArray(inputs)) throw wrongInputs('options.inputs', 'an array of names', inputs)
  for (const [index, name] of (inputs as readonly unknown[]).entries()) {
    const path = `options.inputs[${index}]`
    if (typeof name !== 'string') throw wrongInputs(path, 'a name', name)
    const problem = nameProblem(name)
    if (problem !== undefined) throw errorOf(path, problem)
  }
  return new Set(inputs)
}

function wrongInputs(path: string, wanted: string, given: unknown): ComputeError {
  return errorOf(path, {
    code: 'bad_argument',
    message: `must be ${wanted}, got ${describeType(given)}`,
    hint: 'Give the names of the arguments, for example ["weight_kg"].',
  })
}

/** The names a program may read. What it declares goes before what the caller says, who has to have all of it. */
export function knownInputs(
  declared: readonly ProgramInput[] | undefined,
  given: ReadonlySet<string> | undefined,
  collector: IssueCollector,
): ReadonlySet<string> | undefined {
  if (declared === undefined) return given
  for (const { name, declaration } of declared) {
    if (given === undefined || given.has(name) || declaration.default !== undefined) continue
    collector.addAt(`inputs.${name}`, {
      code: 'unknown_variable',
      message: `the caller has no argument ${quoteText(name)}`,
      hint: suggestName(name, given, 'Give it a default, or leave it out.'),
    })
  }
  return new Set(declared.map(({ name }) => name))
}
