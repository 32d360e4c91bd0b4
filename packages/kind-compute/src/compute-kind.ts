import {
  checkCompute,
  ComputeError,
  type ComputeLimits,
  type ComputeLogic,
} from '@toolcrib/compute'
import { readInputHints } from '@toolcrib/compute/schema'
import {
  type JsonObject,
  type ToolAnnotations,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import type {
  CompiledTool,
  KindHookOptions,
  ToolKind,
  ToolProposal,
  ToolSpec,
} from '@toolcrib/toolsmaker'
import { describeLogicChange } from './compute-change.ts'
import { checkComputeSpec } from './compute-check.ts'
import { runExamples, runGenerated } from './compute-evidence.ts'
import { computeFailure } from './compute-failure.ts'
import { readInputs } from './compute-inputs.ts'
import { describeLines, readLines } from './compute-sentences.ts'
import { describeToolCall } from '@toolcrib/toolsmaker/kind'
import { ComputeProgram } from './thread/compute-program.ts'
import { ComputeThread } from './thread/compute-thread.ts'
import { generateInputs } from './inputs/generate-inputs.ts'

/** How compute tools are bounded and tried. */
export interface ComputeKindOptions {
  /** Bounds on programs that differ from the defaults of `@toolcrib/compute`. */
  readonly limits?: Partial<ComputeLimits>
  /** How many inputs are generated for a tool without examples, 1 to 100. @default 8 */
  readonly maxGeneratedInputs?: number
  /** Longer outputs and generated inputs, in characters of JSON, are not kept in a report. @default 4_096 */
  readonly maxRecordedLength?: number
  /** Milliseconds, for the durations of a report. @default performance.now */
  readonly now?: () => number
}

/** The program of a spec. Its shape is checked by whoever compiles it. */
function logicOf({ definition }: ToolSpec): ComputeLogic {
  return definition as unknown as ComputeLogic
}

class ComputeKind implements ToolKind {
  readonly kind = 'compute'
  readonly #limits: Partial<ComputeLimits>
  readonly #maxGeneratedInputs: number
  readonly #maxRecordedLength: number
  readonly #now: () => number
  readonly #thread = new ComputeThread()

  constructor(options: ComputeKindOptions) {
    const { limits = {} } = options
    // Says at once when a limit is none.
    checkCompute({ steps: [] }, { limits })
    this.#limits = { ...limits }
    this.#maxGeneratedInputs = wholeNumber(
      'maxGeneratedInputs',
      options.maxGeneratedInputs ?? 8,
      100,
    )
    this.#maxRecordedLength = wholeNumber(
      'maxRecordedLength',
      options.maxRecordedLength ?? 4_096,
      1_000_000,
    )
    this.#now = options.now ?? (() => performance.now())
  }

  async check({ spec }: ToolProposal): ReturnType<typeof checkComputeSpec> {
    const checks = await checkComputeSpec(spec, this.#limits)
    if (spec.examples.length > 0 || !this.#isSound(spec)) return checks
    const inputs = await this.#generate(spec)
    const pass = inputs.length > 0
    const message = pass
      ? `No examples; ${inputs.length} inputs were generated from the input schema.`
      : 'No examples, and no input could be generated from the input schema. Add at least one example.'
    return [...checks, { name: 'can-be-tried', pass, message }]
  }

  async gatherEvidence(
    { spec }: ToolProposal,
    { signal }: KindHookOptions,
  ): ReturnType<typeof runExamples> {
    if (!this.#isSound(spec)) return []
    const options = {
      program: this.#open(spec),
      maxRecordedLength: this.#maxRecordedLength,
      now: this.#now,
      signal,
    }
    return spec.examples.length > 0
      ? runExamples(spec, options)
      : runGenerated(spec, await this.#generate(spec), options)
  }

  describePowers(): readonly string[] {
    return []
  }

  describeSteps({ spec }: ToolProposal): readonly string[] {
    const lines = readLines(spec.definition)
    return lines === undefined
      ? ['The program cannot be read; the checks say why.']
      : describeLines(lines)
  }

  describeChange({ spec, previous }: ToolProposal): readonly string[] {
    const after = readLines(spec.definition)
    if (previous === undefined || after === undefined) return []
    const before = previous.kind === this.kind ? readLines(previous.definition) : undefined
    return before === undefined
      ? [`It was a tool of kind "${previous.kind}" before; every step is new.`]
      : describeLogicChange(before, after)
  }

  renderSource({ definition }: ToolSpec): { extension: string; text: string } {
    return { extension: 'json', text: `${JSON.stringify(definition, null, 2)}\n` }
  }

  toCustomTool({ definition }: ToolSpec): JsonObject {
    return { logic: definition }
  }

  annotate(): ToolAnnotations {
    return {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    }
  }

  compile(spec: ToolSpec): CompiledTool {
    const program = this.#open(spec)
    const { name } = spec
    return {
      describeCall: (input) => describeToolCall(name, input),
      execute: (input, signal) => {
        signal.throwIfAborted()
        try {
          const result = program.run(input as Record<string, unknown>, signal)
          return result instanceof Promise ? result.catch(rethrow) : result
        } catch (error) {
          return rethrow(error)
        }
      },
    }
  }

  #open(spec: ToolSpec): ComputeProgram {
    const inputs = readInputs(spec.inputSchema).map(({ name }) => name)
    return new ComputeProgram(logicOf(spec), { inputs, limits: this.#limits }, this.#thread)
  }

  #isSound(spec: ToolSpec): boolean {
    try {
      this.#open(spec)
      return true
    } catch (error) {
      if (ComputeError.is(error)) return false
      throw error
    }
  }

  async #generate(spec: ToolSpec): ReturnType<typeof generateInputs> {
    return generateInputs(spec.inputSchema, {
      hints: readInputHints(logicOf(spec)),
      maxInputs: this.#maxGeneratedInputs,
      maxInputLength: this.#maxRecordedLength,
    })
  }
}

function rethrow(error: unknown): never {
  throw ComputeError.is(error) ? computeFailure(error) : error
}

function wholeNumber(name: string, value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value
  throw new RangeError(`${name} must be a whole number from 1 to ${most}, got ${value}.`)
}

const computeKindOptionNames: KnownOptions<ComputeKindOptions> = {
  limits: {
    maxProgramBytes: true,
    maxSteps: true,
    maxNesting: true,
    maxExpressionLength: true,
    maxVariables: true,
    maxListLength: true,
    maxTextLength: true,
    maxReturnedValues: true,
    maxRunUnits: true,
  },
  maxGeneratedInputs: true,
  maxRecordedLength: true,
  now: true,
}

/**
 * The kind of tool whose definition is a program of `@toolcrib/compute`: it turns inputs into a value and can touch
 * nothing. A call gives the program's value as it is; a failed run throws {@link ToolError} TOOL_FAILED with
 * `computeCode`, `path`, `hint` and, inside a text, `offset` and `snippet` in its data.
 *
 * @throws {ComputeError} bad_argument when a limit is no whole number above 0.
 * @throws {RangeError} when another option is out of range.
 */
export function createComputeKind(options: ComputeKindOptions = {}): ToolKind {
  assertOptions<ComputeKindOptions>('createComputeKind', options, computeKindOptionNames)
  return new ComputeKind(options)
}
