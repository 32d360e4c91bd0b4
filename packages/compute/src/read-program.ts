import { checkNames } from './check-names.ts'
import type { ComputeError } from './compute-error.ts'
import { errorOf, IssueCollector } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import type { ComputeLogic } from './compute-logic.ts'
import { describeType, hostReadError, isPlainObject } from './json-value.ts'
import { suggestName } from './nearest-name.ts'
import type { Program } from './program.ts'
import { quoteText } from './quote-text.ts'
import { StepReader } from './read-steps.ts'
import { nameProblem } from './variable-name.ts'

/** A program that passed every check, and the slots that arguments fill. */
export interface CheckedProgram extends Program {
  readonly inputSlots: readonly number[]
}

function resolveInputs(inputs: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (inputs === undefined) return undefined
  if (!Array.isArray(inputs)) throw wrongInputs('options.inputs', 'a list of names', inputs)
  for (const [index, name] of (inputs as readonly unknown[]).entries()) {
    if (typeof name !== 'string') throw wrongInputs(`options.inputs[${index}]`, 'a name', name)
    const problem = nameProblem(name)
    if (problem !== undefined) throw errorOf(`options.inputs[${index}]`, problem)
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

/** Longest UTF-8 form of one UTF-16 unit inside a JSON text is an escape such as \u0000. */
const bytesPerUnit = 6

/** Longer than `{"op":"condition","if":"","then":[],"else":[]},` and every other step without its texts. */
const bytesPerStep = 60

/** Whether the program is too large. Measured exactly only where the quick upper bound leaves a doubt. */
function exceedsSize(logic: ComputeLogic, reader: StepReader, maxBytes: number): boolean {
  const bound = reader.textLength * bytesPerUnit + (reader.stepCount + 1) * bytesPerStep
  return bound > maxBytes && new TextEncoder().encode(JSON.stringify(logic)).byteLength > maxBytes
}

function readHostSteps(given: unknown, reader: StepReader): ReturnType<StepReader['readList']> {
  try {
    return readSteps(given, reader)
  } catch (error) {
    throw hostReadError(error, '', 'bad_program')
  }
}

function readSteps(given: unknown, reader: StepReader): ReturnType<StepReader['readList']> {
  const { collector } = reader
  if (!isPlainObject(given)) {
    const asText =
      typeof given === 'string' ? 'Parse the JSON text first.' : 'Give { "steps": [ … ] }.'
    return collector.stop({
      code: 'bad_program',
      path: '',
      message: `a program must be an object, got ${describeType(given)}`,
      hint: asText,
    })
  }
  for (const key of Object.keys(given)) {
    if (key === 'steps') continue
    collector.add({
      code: 'bad_program',
      path: '',
      message: `a program has no field ${quoteText(key)}`,
      hint: suggestName(key, ['steps'], 'A program has one field, "steps".'),
    })
  }
  return reader.readList(Object.hasOwn(given, 'steps') ? given['steps'] : undefined, 'steps', 0)
}

/**
 * Reads and checks a program completely before anything runs. What it returns shares no object with what was given.
 * Throws one ComputeError with every problem.
 */
export function readProgram(
  given: unknown,
  settings: { readonly limits: ComputeLimits; readonly inputs: readonly string[] | undefined },
): CheckedProgram {
  const { limits } = settings
  const inputs = resolveInputs(settings.inputs)
  const collector = new IssueCollector()
  const reader = new StepReader(collector, limits)
  const { parsed, copy } = readHostSteps(given, reader)
  const { names } = reader.variables
  const report = checkNames(parsed, {
    names,
    inputs: reader.hasGaps ? undefined : inputs,
    collector,
  })
  if (!report.alwaysReturns && collector.issues.length === 0) {
    collector.add({
      code: 'no_return',
      path: 'steps',
      message: 'the program can end without a return',
      hint: 'End it with { "op": "return", "value": "name" }.',
    })
  }
  const logic: ComputeLogic = { steps: copy }
  if (exceedsSize(logic, reader, limits.maxProgramBytes)) {
    collector.stop({
      code: 'limit',
      path: '',
      message: `the program is larger than ${limits.maxProgramBytes} bytes`,
      hint: 'Make the program smaller or split it into several tools.',
    })
  }
  collector.throwIfAny()
  const { stepCount } = reader
  return { steps: parsed, names, stepCount, limits, logic, inputSlots: report.inputSlots }
}
