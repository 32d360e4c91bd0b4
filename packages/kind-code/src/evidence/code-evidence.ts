import { createHash } from 'node:crypto'
import {
  canonicalJson,
  formatIssues,
  type JsonObject,
  type JsonValue,
  validateWithSchema,
} from '@toolcrib/registry'
import type { Sandbox, SandboxOutcome } from '@toolcrib/sandbox'
import type { ToolExample, ToolSpec } from '@toolcrib/toolsmaker'
import type { EvidenceRun } from '@toolcrib/toolsmaker'
import type { CodeDefinition } from '../code-definition.ts'
import { type FailureLimits, describeSandboxFailure, readFailure } from '../code-failure.ts'
import { CodeModule, type LoadedCode } from '../modules/code-module.ts'
import { type SimulatedHost, simulateHost } from './fixture-operations.ts'

/** How examples are tried. */
export interface CodeEvidenceOptions {
  readonly sandbox: Sandbox
  readonly loadTimeoutMs: number
  /** For one example, in milliseconds. */
  readonly exampleTimeoutMs: number
  /** For all of them; what is not done then has failed. */
  readonly evidenceTimeoutMs: number
  /** Longer outputs, in characters of JSON, are recorded as a text that says so. */
  readonly maxRecordedLength: number
  /** Milliseconds, from any start. */
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Deeper values are recorded as a text that says so: reports are read by programs that have a limit. */
const maxRecordedDepth = 50

/** Runs the author's examples in the sandbox. One passes when it gives the promised value, or any value where none is promised. */
export async function gatherCodeEvidence(
  spec: ToolSpec,
  definition: CodeDefinition,
  options: CodeEvidenceOptions,
): Promise<readonly EvidenceRun[]> {
  const { evidenceTimeoutMs, exampleTimeoutMs, now, signal } = options
  const endsAt = now() + evidenceTimeoutMs
  const module = new CodeModule(definition, { ...options, trialOf: trialOf(spec) })
  // What cannot be loaded is not tried to be loaded for each example.
  const loaded = await module.load()
  const runs: EvidenceRun[] = []
  for (const example of spec.examples) {
    signal.throwIfAborted()
    const timeoutMs = Math.min(
      exampleTimeoutMs,
      spec.limits.timeoutMs ?? exampleTimeoutMs,
      endsAt - now(),
    )
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that durations are true
    runs.push(await tryExample({ spec, definition, loaded, example }, { ...options, timeoutMs }))
  }
  return runs
}

interface Trial {
  readonly spec: ToolSpec
  readonly definition: CodeDefinition
  readonly loaded: LoadedCode
  readonly example: ToolExample
}

interface TrialOptions extends CodeEvidenceOptions {
  readonly timeoutMs: number
}

async function tryExample(trial: Trial, options: TrialOptions): Promise<EvidenceRun> {
  const { example, spec } = trial
  const host = simulateHost(spec, example.fixtures ?? [])
  const startedAt = options.now()
  const { error, output } = await judgeInTime(trial, host, options)
  const { expected, input } = example
  return {
    input,
    ...(expected === undefined ? {} : { expected }),
    ...(output === undefined ? {} : { actual: recorded(output, options.maxRecordedLength) }),
    ...(error === undefined ? {} : { error }),
    pass: error === undefined,
    durationMs: Math.max(0, options.now() - startedAt),
    origin: 'author',
    operations: host.asked,
  }
}

interface Judgement {
  readonly output?: JsonValue
  readonly error?: string
}

function judgeInTime(
  trial: Trial,
  host: SimulatedHost,
  options: TrialOptions,
): Promise<Judgement> | Judgement {
  const { loaded } = trial
  if (!loaded.ok)
    return { error: describeSandboxFailure(loaded, { timeoutMs: options.loadTimeoutMs }) }
  return options.timeoutMs >= 1
    ? judge({ ...trial, hash: loaded.hash }, host, options)
    : {
        error: `It was not tried: what came before it took all of ${options.evidenceTimeoutMs} ms.`,
      }
}

async function judge(
  { definition, example, hash, spec }: Trial & { readonly hash: string },
  host: SimulatedHost,
  options: TrialOptions,
): Promise<Judgement> {
  const checked = await validateWithSchema(spec.inputSchema, example.input)
  if (!checked.valid)
    return { error: `The input does not fit the input schema: ${formatIssues(checked.issues)}` }
  const { cpuMs, maxHostCalls, memoryBytes } = definition.limits ?? {}
  const limits = { timeoutMs: options.timeoutMs, cpuMs, memoryBytes, maxHostCalls }
  const outcome = await run({ hash, host, limits, spec }, checked.value as JsonObject, options)
  if (!outcome.ok) options.signal.throwIfAborted()
  const given = outcome.ok ? readOutput(outcome.json) : undefined
  // Whoever catches the refusal has tried all the same.
  if (host.refusal !== undefined) return { ...given, error: host.refusal }
  if (!outcome.ok)
    return {
      error: describeSandboxFailure(readFailure(outcome, { isAborted: false, limits }), limits),
    }
  return given?.output === undefined ? (given ?? {}) : judgeOutput(given.output, { example, spec })
}

function run(
  {
    hash,
    host,
    limits,
    spec,
  }: Pick<Trial, 'spec'> & {
    readonly hash: string
    readonly host: SimulatedHost
    readonly limits: FailureLimits
  },
  input: JsonObject,
  { sandbox, signal }: TrialOptions,
): Promise<SandboxOutcome> {
  const { cpuMs, maxHostCalls, memoryBytes, timeoutMs } = limits
  const inputJson = JSON.stringify(input)
  return sandbox.call(hash, inputJson, {
    operations: host.operations,
    call: callOfExample(spec, { inputJson, timeoutMs }),
    trialOf: trialOf(spec),
    signal,
    timeoutMs,
    ...(cpuMs === undefined ? {} : { cpuMs }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(maxHostCalls === undefined ? {} : { maxHostCalls }),
  })
}

/** Whoever proposes has to wait for what it proposed before. */
function trialOf({ owner, proposer = owner }: ToolSpec): string {
  return proposer
}

/** What a tool knows of a call, as if its owner had made it; the id stays the same when an example is tried again. */
function callOfExample(
  { name, owner }: ToolSpec,
  { inputJson, timeoutMs }: { readonly inputJson: string; readonly timeoutMs: number },
): JsonObject {
  const digits = createHash('sha256').update(`${name}\0${inputJson}`).digest('hex')
  const id = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5')
  const deadline = Date.now() + Math.floor(timeoutMs)
  const agent = /^agent:(.+)$/.exec(owner)?.[1]
  return { id, toolName: name, deadline, ...(agent === undefined ? {} : { agentId: agent }) }
}

function readOutput(json: string): Judgement {
  try {
    const output = JSON.parse(json) as JsonValue
    canonicalJson(output)
    return { output }
  } catch (error) {
    return {
      error: `The output cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function judgeOutput(
  output: JsonValue,
  { example: { expected }, spec }: Pick<Trial, 'example' | 'spec'>,
): Promise<Judgement> {
  if (spec.outputSchema !== undefined) {
    const fitting = await validateWithSchema(spec.outputSchema, output)
    if (!fitting.valid)
      return {
        output,
        error: `The output does not fit the output schema: ${formatIssues(fitting.issues)}`,
      }
  }
  if (expected === undefined || canonicalJson(output) === canonicalJson(expected)) return { output }
  return { output, error: `Expected ${shorten(expected)}, got ${shorten(output)}` }
}

function recorded(output: JsonValue, maxLength: number): JsonValue {
  const text = JSON.stringify(output)
  if (text.length <= maxLength && !nestsDeeper(output, maxRecordedDepth)) return output
  return `(${text.length} characters of JSON, too large to be recorded; it begins: ${text.slice(0, 200).toWellFormed()})`
}

function nestsDeeper(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    depth === 0 || Object.values(value).some((entry: JsonValue) => nestsDeeper(entry, depth - 1))
  )
}

function shorten(value: JsonValue): string {
  const text = canonicalJson(value)
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`
}
