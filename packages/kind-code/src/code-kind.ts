import { type JsonObject, type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import { deepFreeze } from '@toolcrib/toolsmaker/kind'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import type {
  CompiledTool,
  KindHookOptions,
  RenderedSource,
  ToolKind,
  ToolProposal,
} from '@toolcrib/toolsmaker'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { checkCode } from './checks/code-check.ts'
import { type CodeDefinition, codeDefinitionSchema } from './code-definition.ts'
import { gatherCodeEvidence } from './evidence/code-evidence.ts'
import type { CodePowers } from './operations/code-powers.ts'
import { CodeRunner } from './code-runner.ts'
import {
  describeCodeChange,
  describeCodePowers,
  describeCodeSteps,
  readDefinition,
} from './code-sentences.ts'
import { describeCodeCall } from './describe-code-call.ts'
import { codeFingerprint } from './code-fingerprint.ts'
import { fillHumanReadable } from './tool-file/human-readable-format.ts'
import { ModuleWatch } from './modules/module-watch.ts'
import type { FindModule } from './modules/shared-modules.ts'
import type { TypeChecker } from './types/type-checker.ts'

/** What code tools run in, and what they can be given. */
export interface CodeKindOptions {
  /** Where every line of a made tool runs. It stays the caller's to close. */
  readonly sandbox: Sandbox
  /** @default none: tools that ask for a capability are refused */
  readonly powers?: CodePowers
  /** @default none: the report says that types were not checked */
  readonly typeChecker?: TypeChecker
  /** Finds approved versions that tools may import. @default none can be imported */
  readonly findModule?: FindModule
  /** How long an answer of `findModule` holds for calls, in milliseconds. @default 1_000 */
  readonly moduleCheckMs?: number
  /** How long the top level of a source may take, the start of a worker included, in milliseconds. @default 10_000 */
  readonly loadTimeoutMs?: number
  /** How long one example may take, in milliseconds. @default 5_000 */
  readonly exampleTimeoutMs?: number
  /** How long all examples of a proposal may take, in milliseconds; less than `kindTimeoutMs` of the toolsmaker. @default 20_000 */
  readonly evidenceTimeoutMs?: number
  /** Longer outputs, in characters of JSON, are not kept in a report. @default 4_096 */
  readonly maxRecordedLength?: number
  /** Milliseconds since the epoch, from the clock of the invoker's deadlines. @default Date.now */
  readonly now?: () => number
}

class CodeKind implements ToolKind {
  readonly kind = 'code'
  readonly #options: CodeKindOptions
  readonly #now: () => number

  constructor(options: CodeKindOptions) {
    this.#options = options
    this.#now = options.now ?? (() => Date.now())
  }

  get fingerprint(): string {
    return codeFingerprint(this.#options.sandbox)
  }

  async check({ spec }: ToolProposal, { signal }: KindHookOptions): ReturnType<typeof checkCode> {
    const { findModule, powers, typeChecker } = this.#options
    return checkCode(spec, { findModule, powers, typeChecker, signal })
  }

  async gatherEvidence(
    { spec }: ToolProposal,
    { signal }: KindHookOptions,
  ): ReturnType<typeof gatherCodeEvidence> {
    const definition = readDefinition(spec)
    if (definition === undefined) return []
    const {
      evidenceTimeoutMs = 20_000,
      exampleTimeoutMs = 5_000,
      loadTimeoutMs = 10_000,
      maxRecordedLength = 4_096,
      sandbox,
    } = this.#options
    return gatherCodeEvidence(spec, definition, {
      sandbox,
      loadTimeoutMs,
      exampleTimeoutMs,
      evidenceTimeoutMs,
      maxRecordedLength,
      now: () => performance.now(),
      signal,
    })
  }

  describePowers({ spec }: ToolProposal): readonly string[] {
    return describeCodePowers(spec)
  }

  describeSteps({ spec }: ToolProposal): readonly string[] {
    return describeCodeSteps(spec)
  }

  describeChange({ previous, spec }: ToolProposal): readonly string[] {
    return previous === undefined ? [] : describeCodeChange(spec, previous)
  }

  renderSource(spec: ToolSpec): RenderedSource {
    return { extension: 'ts', text: readDefinition(spec)?.source ?? '' }
  }

  toCustomTool(spec: ToolSpec): JsonObject {
    const definition = readDefinition(spec)
    if (definition === undefined) return {}
    const { form, humanReadableFormat } = definition
    return {
      form,
      source: `generated/${spec.name}_v${spec.version}.ts`,
      ...(humanReadableFormat === undefined ? {} : { humanReadableFormat }),
    }
  }

  compile(spec: ToolSpec): CompiledTool {
    const definition: CodeDefinition = deepFreeze(codeDefinitionSchema.parse(spec.definition))
    const { findModule, loadTimeoutMs = 10_000, moduleCheckMs = 1_000 } = this.#options
    const { powers, sandbox } = this.#options
    const now = this.#now
    const watch = new ModuleWatch(definition.modules ?? [], findModule, {
      lastsMs: moduleCheckMs,
      now,
    })
    const runner = new CodeRunner(spec, definition, { sandbox, powers, watch, loadTimeoutMs, now })
    const { humanReadableFormat } = definition
    return {
      describeCall: (input) =>
        humanReadableFormat === undefined
          ? describeCodeCall(spec.name, input)
          : fillHumanReadable(humanReadableFormat, input),
      // Somebody may call it without an invoker, and so without a context.
      execute: (input, signal, context) => runner.execute(input, signal, context ?? {}),
    }
  }
}

const codeKindOptionNames: KnownOptions<CodeKindOptions> = {
  sandbox: true,
  powers: true,
  typeChecker: true,
  findModule: true,
  moduleCheckMs: true,
  loadTimeoutMs: true,
  exampleTimeoutMs: true,
  evidenceTimeoutMs: true,
  maxRecordedLength: true,
  now: true,
}

/**
 * The kind of tool whose definition is TypeScript. It is checked without running it, tried with every operation of the host
 * answered by the author's fixtures, and runs in a sandbox only.
 *
 * @throws {ToolError} REQUEST_INVALID when an option is out of range.
 */
export function createCodeKind(options: CodeKindOptions): ToolKind {
  assertOptions<CodeKindOptions>('createCodeKind', options, codeKindOptionNames)
  const {
    evidenceTimeoutMs = 1,
    exampleTimeoutMs = 1,
    loadTimeoutMs = 1,
    maxRecordedLength = 1,
  } = options
  const counts = { evidenceTimeoutMs, exampleTimeoutMs, loadTimeoutMs, maxRecordedLength }
  for (const [field, value] of Object.entries(counts)) assertCount(field, value, 1)
  assertCount('moduleCheckMs', options.moduleCheckMs ?? 0, 0)
  return new CodeKind(options)
}

function assertCount(field: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw toolsmakerError(
    'REQUEST_INVALID',
    `createCodeKind: ${field} must be a whole number of ${least} or more, got ${value}.`,
    { data: { field } },
  )
}
