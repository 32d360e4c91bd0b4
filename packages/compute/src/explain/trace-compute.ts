import { type ComputeOptions, inspectProgram, resolveOptions } from '../check/inspect-program.ts'
import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import { errorOf, throwIssues } from '../language/compute-issue.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import type { Program, ProgramStep } from '../language/program.ts'
import { loadArguments } from '../walk/load-arguments.ts'
import type { Run } from '../walk/run.ts'
import { type StepOutcome, type WalkObserver, walkProgram } from '../walk/walk-program.ts'
import { StepDescriber } from './describe-steps.ts'
import { valueText } from './value-text.ts'
import { variablesRead } from './variables-read.ts'

/** How much a trace keeps, beside the options of `compileCompute`. */
export interface TraceOptions extends ComputeOptions {
  /** Steps that are recorded. Default 1,000. */
  readonly maxSteps?: number
  /** Characters that are kept of each value. Default 200. */
  readonly maxValueLength?: number
}

/** One step that ran. */
export interface TracedStep {
  /** Such as `steps[1].then[0]`. */
  readonly path: string
  readonly op: ProgramStep['op']
  /** The step in plain words, as `explainCompute` says it. */
  readonly sentence: string
  /** The variables it may read, by name, with their values when it began: as JSON text, shortened. */
  readonly inputs: Readonly<Record<string, string>>
  /** What it assigned or gave back: as JSON text, shortened. */
  readonly value?: string
  /** Path of the steps that ran next, of a step that chooses; null if there are none. */
  readonly branch?: string | null
  /** Run units it took; of a step that failed up to then. */
  readonly units: number
}

/** A run step by step. */
export interface ComputeTrace {
  /** The steps that ran, in order. The last one is the step that failed, if one did. */
  readonly steps: readonly TracedStep[]
  /** What the program gave; undefined if it failed. */
  readonly result?: unknown
  /** Why it failed. */
  readonly error?: ComputeIssue
  /** Whether more steps ran than were recorded. */
  readonly truncated: boolean
}

type Recorded = { -readonly [Key in keyof TracedStep]: TracedStep[Key] }

class TraceRecorder implements WalkObserver {
  readonly steps: Recorded[] = []
  truncated = false
  readonly #program: Program
  readonly #describer: StepDescriber
  readonly #maxSteps: number
  readonly #maxValueLength: number
  #run: Run | undefined
  #unitsBefore = 0

  constructor(program: Program, { maxSteps = 1_000, maxValueLength = 200 }: TraceOptions) {
    this.#program = program
    this.#describer = new StepDescriber(program)
    this.#maxSteps = checkCount(maxSteps, 'options.maxSteps')
    this.#maxValueLength = checkCount(maxValueLength, 'options.maxValueLength')
  }

  enter(step: ProgramStep, run: Run): void {
    this.#run = run
    this.truncated = this.steps.length >= this.#maxSteps
    if (this.truncated) return
    this.#unitsBefore = run.budget.units
    const inputs: Record<string, string> = {}
    for (const slot of variablesRead(step)) {
      const value = run.frame[slot]
      if (value !== undefined) inputs[this.#program.names[slot] ?? ''] = this.#text(value)
    }
    const { path, op } = step
    this.steps.push({ path, op, sentence: this.#describer.sentence(step), inputs, units: 0 })
  }

  leave(step: ProgramStep, { value, branch }: StepOutcome): void {
    if (this.truncated) return
    const recorded = this.finish()
    if (recorded === undefined) return
    if (value !== undefined) recorded.value = this.#text(value)
    if ('cases' in step) recorded.branch = branch ?? null
  }

  /** Notes the units of the step at hand. */
  finish(): Recorded | undefined {
    const recorded = this.steps.at(-1)
    if (recorded !== undefined && this.#run !== undefined && !this.truncated) {
      recorded.units = this.#run.budget.units - this.#unitsBefore
    }
    return recorded
  }

  #text(value: unknown): string {
    return valueText(value, this.#maxValueLength)
  }
}

function checkCount(count: number, path: string): number {
  if (Number.isSafeInteger(count) && count >= 0) return count
  throw errorOf(path, {
    code: 'bad_argument',
    message: 'must be a whole number from 0 on',
    hint: 'Give such a number, or leave it out.',
  })
}

/**
 * Runs a program and tells what every step read, and what came out of it. For reviewers and for finding mistakes;
 * much slower than a run. It gives the same result or error as a run.
 *
 * @param logic - the program
 * @param args - plain JSON values by name
 * @param options - as for `compileCompute`, and how much to keep
 * @throws {ComputeError} if the program itself or the options are wrong; an error of the run is in the trace
 */
export function traceCompute(
  logic: ComputeLogic,
  args: Readonly<Record<string, unknown>>,
  options: TraceOptions = {},
): ComputeTrace {
  const { maxSteps: _steps, maxValueLength: _length, ...rest } = options
  const { program, inputSlots, errors } = inspectProgram(logic, resolveOptions(rest))
  throwIssues(errors)
  const recorder = new TraceRecorder(program, options)
  try {
    const result = walkProgram(program, loadArguments(program, inputSlots, args), recorder)
    return { steps: recorder.steps, result, truncated: recorder.truncated }
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    recorder.finish()
    const { steps, truncated } = recorder
    return { steps, error: error.issues[0], truncated }
  }
}
