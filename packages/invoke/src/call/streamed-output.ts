import type { ToolProgress } from '@toolcrib/registry'
import { nextTurnOfLoop } from '../limits/wait.ts'
import type { CallFacts } from './call-facts.ts'
import { cutText } from './values/bounded-text.ts'
import { writeJsonInSlices } from './values/json-text-slices.ts'
import { redactInPieces } from './values/redacted-pieces.ts'
import { NotPlainJsonError } from './values/plain-json.ts'
import { copyPlainJsonInSlices } from './values/plain-json-slices.ts'
import { workInSlices } from './values/work-slices.ts'

/** The tool gave more values than it may; the message says so. */
export class OutputRefused extends Error {
  override readonly name: string = 'OutputRefused'
}

/** What a generator is read for. */
export interface StreamReader {
  readonly facts: CallFacts
  /** Tells the generator to return. */
  readonly signal: AbortSignal
  reportProgress(progress: ToolProgress): void
}

/** How long values may come one after the other before everything else has its turn, in milliseconds. */
const turnMs = 8

/** Tells whether a tool gave an asynchronous generator, as `async function*` makes it. */
export function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  if (typeof value !== 'object' || value === null) return false
  try {
    if (!(Symbol.asyncIterator in value)) return false
    const { next, return: end, throw: fail } = value as Partial<AsyncGenerator>
    return typeof next === 'function' && typeof end === 'function' && typeof fail === 'function'
  } catch {
    // A proxy threw; it is looked at again when it is written.
    return false
  }
}

/**
 * Reads a generator to its end: its last value, or what it returns where that is something, is the output, and those before
 * it are progress. The generator is told to return when the call is stopped, or when it gives too much.
 *
 * @throws {OutputRefused} when it gives too many values, or too much in total.
 * @throws whatever the generator throws; the reason of the signal when that aborts.
 */
export async function readGenerator(
  generator: AsyncGenerator,
  reader: StreamReader,
): Promise<unknown> {
  const { signal } = reader
  const end = (): Promise<unknown> => endGenerator(generator)
  const onAbort = (): void => void end()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await new GeneratorReading(generator, reader).read()
  } catch (error) {
    await end()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A generator that is over takes it without a word; one that hangs keeps its call running, as any tool does. */
async function endGenerator(generator: AsyncGenerator): Promise<void> {
  try {
    await generator.return(undefined)
  } catch {
    // How it ends does not change the outcome.
  }
}

class GeneratorReading {
  readonly #generator: AsyncGenerator
  readonly #reader: StreamReader
  #count = 0
  /** Characters that the values before the last may still have. */
  #remaining: number
  #turnEndsAt = 0

  constructor(generator: AsyncGenerator, reader: StreamReader) {
    this.#generator = generator
    this.#reader = reader
    this.#remaining = reader.facts.settings.outputLimits.maxLength
  }

  async read(): Promise<unknown> {
    let last: { readonly value: unknown } | undefined
    this.#turnEndsAt = performance.now() + turnMs
    for (;;) {
      this.#reader.signal.throwIfAborted()
      // oxlint-disable-next-line no-await-in-loop -- values come one after the other
      const { done, value } = await this.#generator.next()
      if (done === true && value === undefined) return last?.value
      // oxlint-disable-next-line no-await-in-loop
      if (last !== undefined) await this.#pass(last.value)
      if (done === true) return value
      last = { value }
      this.#countOne()
      // oxlint-disable-next-line no-await-in-loop
      await this.#letOthersRun()
    }
  }

  #countOne(): void {
    const { maxYields } = this.#reader.facts.settings
    this.#count += 1
    if (this.#count > maxYields)
      throw new OutputRefused(`it gave more than ${maxYields} values, which is the limit`)
  }

  /** A value that is not the last one. */
  async #pass(value: unknown): Promise<void> {
    const { facts } = this.#reader
    const text = await this.#write(value)
    this.#remaining -= text.length
    if (this.#remaining < 0) throw tooMuch(facts)
    if (facts.options.onProgress === undefined) return
    const { previewBytes, redactor } = facts.settings
    const clean = await workInSlices(
      redactInPieces(typeof value === 'string' ? value : text, redactor),
      () => false,
    )
    const message = cutText(clean, previewBytes)
    this.#reader.reportProgress({ progress: this.#count, message })
  }

  async #write(value: unknown): Promise<string> {
    const { facts, signal } = this.#reader
    const limits = { ...facts.settings.outputLimits, maxLength: this.#remaining }
    const isStopped = (): boolean => signal.aborted
    try {
      const copying = copyPlainJsonInSlices(value, { limits, isLenient: true })
      const copy = await workInSlices(copying, isStopped)
      return (await workInSlices(writeJsonInSlices(copy), isStopped)).text
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof NotPlainJsonError ? tooMuch(facts) : error
    }
  }

  /** Values that come without a pause would keep timers from firing, this call's deadline among them. */
  async #letOthersRun(): Promise<void> {
    if (performance.now() < this.#turnEndsAt) return
    await nextTurnOfLoop()
    this.#turnEndsAt = performance.now() + turnMs
  }
}

function tooMuch({ settings }: CallFacts): OutputRefused {
  return new OutputRefused(
    `its values have more than ${settings.outputLimits.maxLength} characters in total, which is the limit`,
  )
}
