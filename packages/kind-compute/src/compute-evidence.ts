import { setImmediate as nextTurn } from 'node:timers/promises'
import { ComputeError, type ComputeErrorCode } from '@toolcrib/compute'
import {
  canonicalJson,
  formatIssues,
  type JsonObject,
  type JsonValue,
  validateWithSchema,
} from '@toolcrib/registry'
import type { EvidenceRun, ToolExample, ToolSpec } from '@toolcrib/toolsmaker'
import type { ComputeProgram } from './thread/compute-program.ts'
import { issueSentence } from './compute-failure.ts'

/** Problems that come from the value a caller chose, not from the program: a clear error is the right answer. */
const valueProblems: ReadonlySet<ComputeErrorCode> = new Set([
  'division_by_zero',
  'overflow',
  'precision',
  'unknown_key',
  'limit',
  'bad_value',
  'check_failed',
])

/** What a run needs beside its input. */
export interface EvidenceOptions {
  readonly program: ComputeProgram
  /** Longer outputs, in characters of JSON, are recorded as a text that says so. */
  readonly maxRecordedLength: number
  /** Milliseconds, from any start. */
  readonly now: () => number
  readonly signal: AbortSignal
}

interface RunOutcome {
  /** The run used up the work that one may do. */
  readonly isAtLimit?: boolean
  readonly output?: JsonValue
  readonly error?: string
  /** The error is the program's answer to this very value. */
  readonly isAnswer?: boolean
}

async function runOnce(
  spec: ToolSpec,
  input: JsonObject,
  { program, signal }: Pick<EvidenceOptions, 'program' | 'signal'>,
): Promise<RunOutcome> {
  const checked = await validateWithSchema(spec.inputSchema, input)
  if (!checked.valid)
    return { error: `The input does not fit the input schema: ${formatIssues(checked.issues)}` }
  let output: JsonValue
  try {
    // A run gives plain JSON, and validation of an object schema gave an object.
    output = (await program.run(checked.value as JsonObject, signal)) as JsonValue
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    return {
      error: issueSentence(error.issues[0]),
      isAnswer: valueProblems.has(error.code),
      isAtLimit: error.code === 'limit',
    }
  }
  if (spec.outputSchema === undefined) return { output }
  const fitting = await validateWithSchema(spec.outputSchema, output)
  if (fitting.valid) return { output }
  return {
    output,
    error: `The output does not fit the output schema: ${formatIssues(fitting.issues)}`,
  }
}

function recorded(output: JsonValue, maxLength: number): JsonValue {
  const text = canonicalJson(output)
  if (text.length <= maxLength) return output
  return `(${text.length} characters of JSON, too long to be recorded; it begins: ${text.slice(0, 200).toWellFormed()})`
}

function shorten(value: JsonValue): string {
  const text = canonicalJson(value)
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`
}

function sameJson(left: JsonValue, right: JsonValue): boolean {
  return canonicalJson(left) === canonicalJson(right)
}

interface Attempt {
  readonly example: ToolExample
  readonly origin: EvidenceRun['origin']
}

async function attempt(
  spec: ToolSpec,
  { example, origin }: Attempt,
  options: EvidenceOptions,
): Promise<{ readonly run: EvidenceRun; readonly isAtLimit: boolean }> {
  const { input, expected } = example
  const startedAt = options.now()
  const { isAtLimit = false, ...outcome } = await runOnce(spec, input, options)
  const { output, error, isAnswer } = outcome
  const durationMs = Math.max(0, options.now() - startedAt)
  const mismatch =
    error === undefined &&
    output !== undefined &&
    expected !== undefined &&
    !sameJson(output, expected)
      ? `Expected ${shorten(expected)}, got ${shorten(output)}`
      : undefined
  const problem = error ?? mismatch
  const run: EvidenceRun = {
    input,
    ...(expected === undefined ? {} : { expected }),
    ...(output === undefined ? {} : { actual: recorded(output, options.maxRecordedLength) }),
    ...(problem === undefined ? {} : { error: problem }),
    pass: problem === undefined || (origin === 'generated' && isAnswer === true),
    durationMs,
    origin,
  }
  return { run, isAtLimit }
}

/** Enough to see that a program may use up its work; each such run keeps other long ones waiting. */
const mostRunsAtLimit = 2

/** Lets a time limit end the work between two runs. */
async function runAll(
  spec: ToolSpec,
  attempts: readonly Attempt[],
  options: EvidenceOptions,
): Promise<readonly EvidenceRun[]> {
  const runs: EvidenceRun[] = []
  let atLimit = 0
  for (const entry of attempts) {
    if (atLimit === mostRunsAtLimit) break
    options.signal.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that durations are true
    const { isAtLimit, run } = await attempt(spec, entry, options)
    runs.push(run)
    if (isAtLimit) atLimit += 1
    // oxlint-disable-next-line no-await-in-loop -- the pause between two runs is the point
    await nextTurn()
  }
  return runs
}

/** Runs the author's examples. One passes when it gives the promised value, or any value where none is promised. */
export async function runExamples(
  spec: ToolSpec,
  options: EvidenceOptions,
): Promise<readonly EvidenceRun[]> {
  return runAll(
    spec,
    spec.examples.map((example) => ({ example, origin: 'author' })),
    options,
  )
}

function refuted(run: EvidenceRun): EvidenceRun {
  const error = `${run.error ?? ''} No generated input gave a value; add an example that does.`
  return { ...run, pass: false, error: error.trim() }
}

/**
 * Runs generated inputs. One passes when it gives a value, or an error that is due to that very value, such as a
 * division by zero; but when none of them gives a value nothing is shown, and all fail.
 */
export async function runGenerated(
  spec: ToolSpec,
  inputs: readonly JsonObject[],
  options: EvidenceOptions,
): Promise<readonly EvidenceRun[]> {
  const attempts = inputs.map((input): Attempt => ({ example: { input }, origin: 'generated' }))
  const runs = await runAll(spec, attempts, options)
  if (runs.some(({ error }) => error === undefined)) return runs
  return runs.map((run) => refuted(run))
}
