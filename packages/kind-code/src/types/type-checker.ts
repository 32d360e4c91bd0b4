import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { createRequire } from 'node:module'
import { realpathSync } from 'node:fs'
import { authorDeclarations } from '@toolcrib/sandbox/author'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import type { ToolContent } from '@toolcrib/toolsmaker'
import type { CodeDefinition } from '../code-definition.ts'
import { schemaToTypeScript } from './schema-types.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import { type TypeCheckAnswer, TypeCheckProcess } from './type-check-process.ts'
import { orAbort } from '@toolcrib/toolsmaker/kind'

/** What is checked. */
export interface TypeCheckSubject {
  readonly spec: Pick<ToolContent, 'inputSchema' | 'outputSchema'>
  readonly definition: Pick<CodeDefinition, 'source' | 'form' | 'modules'>
  readonly signal: AbortSignal
}

/** What was found, at the lines and columns of the source, or why nothing was checked. */
export type TypeCheckOutcome =
  | { readonly problems: readonly SourceProblem[] }
  | { readonly notChecked: string }

/** Checks the types of tools. Checks wait for each other. */
export interface TypeChecker {
  /** @throws the reason of the signal when it aborts */
  check(subject: TypeCheckSubject): Promise<TypeCheckOutcome>
  /** Ends the process. Later checks are not made. */
  close(): void
}

/** How types are checked. */
export interface TypeCheckerOptions {
  /**
   * The package that is used: TypeScript 5.9 or 6, by name or path. It is an optional peer; 7 has no API for this.
   *
   * @default 'typescript'
   */
  readonly typescript?: string
  /** How long one check may take, in milliseconds. A source whose types take longer has a problem. @default 10_000 */
  readonly timeoutMs?: number
  /** How long the process may take to start, in milliseconds. @default 30_000 */
  readonly startTimeoutMs?: number
  /** How much memory the process may use for objects, in MiB. @default 512 */
  readonly maxMemoryMb?: number
  /** How long the process stays for the next check, in milliseconds. @default 60_000 */
  readonly idleMs?: number
}

const maxProblems = 50
const install =
  'Install TypeScript 6 beside toolcrib (npm install typescript@6) to have types checked.'

const typeCheckerOptionNames: KnownOptions<TypeCheckerOptions> = {
  typescript: true,
  timeoutMs: true,
  startTimeoutMs: true,
  maxMemoryMb: true,
  idleMs: true,
}

/**
 * Opens a checker of types. It starts a process with the first check, which can be killed, has no environment and reads no
 * file but those of TypeScript; the process is used again while it is healthy. Types are for kind, early errors: nothing
 * relies on them.
 *
 * @throws {ToolError} REQUEST_INVALID when an option is out of range
 */
export function createTypeChecker(options: TypeCheckerOptions = {}): TypeChecker {
  assertOptions<TypeCheckerOptions>('createTypeChecker', options, typeCheckerOptionNames)
  for (const field of ['timeoutMs', 'startTimeoutMs', 'maxMemoryMb', 'idleMs'] as const) {
    const value = options[field] ?? 1
    if (!Number.isSafeInteger(value) || value < 1 || value > 2_147_483_647)
      throw toolsmakerError(
        'REQUEST_INVALID',
        `createTypeChecker: ${field} must be a whole number of 1 or more, got ${value}.`,
        { data: { field } },
      )
  }
  return new ProcessTypeChecker(options)
}

class ProcessTypeChecker implements TypeChecker {
  readonly #options: Required<TypeCheckerOptions>
  #process: TypeCheckProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor({
    idleMs = 60_000,
    maxMemoryMb = 512,
    startTimeoutMs = 30_000,
    timeoutMs = 10_000,
    typescript = 'typescript',
  }: TypeCheckerOptions) {
    this.#options = { idleMs, maxMemoryMb, startTimeoutMs, timeoutMs, typescript }
  }

  async check(subject: TypeCheckSubject): Promise<TypeCheckOutcome> {
    subject.signal.throwIfAborted()
    const turn = this.#last
    const outcome = turn.then(async () => this.#checkNow(subject))
    this.#last = outcome.catch(() => undefined)
    return orAbort(outcome, subject.signal)
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  async #checkNow({ definition, signal, spec }: TypeCheckSubject): Promise<TypeCheckOutcome> {
    signal.throwIfAborted()
    if (this.#isClosed) return { notChecked: 'the type checker is closed.' }
    const typescript = findTypeScript(this.#options.typescript)
    if (typescript === undefined)
      return { notChecked: `${this.#options.typescript} is not installed. ${install}` }
    clearTimeout(this.#idle)
    if (this.#process?.isAlive !== true)
      this.#process = new TypeCheckProcess({ ...this.#options, typescript })
    const { form, modules = [], source } = definition
    const answer = await this.#process.check(
      {
        source,
        form,
        declarations: declarationsFor(spec),
        modules: modules.map(({ source: text, specifier }) => ({ source: text, specifier })),
      },
      signal,
    )
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref()
    return this.#describe(answer)
  }

  #describe(answer: TypeCheckAnswer): TypeCheckOutcome {
    if ('problems' in answer)
      return {
        problems: answer.problems.slice(0, maxProblems).map((problem) => ({
          ...problem,
          rule: 'types',
          severity: 'error',
        })),
      }
    if (this.#isClosed) return { notChecked: 'the type checker is closed.' }
    if ('unusable' in answer) {
      this.#end()
      return { notChecked: `${answer.unusable}. ${install}` }
    }
    const { maxMemoryMb, timeoutMs } = this.#options
    const why =
      'failed' in answer
        ? `TypeScript failed on them: ${answer.failed}`
        : answer.ended === 'too-slow'
          ? `It took more than ${timeoutMs} ms.`
          : `The process that checks them ended; it may have needed more than ${maxMemoryMb} MiB.`
    const message = `The types cannot be checked. ${why} Use simpler types.`
    return { problems: [{ rule: 'types', severity: 'error', message, line: 1, column: 1 }] }
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#process?.end()
    this.#process = undefined
  }
}

function declarationsFor({ inputSchema, outputSchema = {} }: TypeCheckSubject['spec']): string {
  // A module that declares its own `Input` hides these, which is fine: it must still take what is given.
  return [
    authorDeclarations,
    schemaToTypeScript(inputSchema, 'Input'),
    schemaToTypeScript(outputSchema, 'Output', { isOpen: true }),
  ].join('\n')
}

function findTypeScript(specifier: string): string | undefined {
  try {
    // The permission model compares real paths.
    return realpathSync(createRequire(import.meta.url).resolve(specifier))
  } catch {
    return undefined
  }
}
