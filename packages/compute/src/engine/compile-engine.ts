import type { Program } from '../language/program.ts'
import { isHostReadError } from '../values/json-value.ts'
import { ArgumentLoader } from './argument-loader.ts'
import { noteOutputs, StepCompiler } from './compile-steps.ts'
import type { EngineRun } from './engine-run.ts'
import * as shared from './frame.ts'
import { GiveUp, GiveUpCounts, reasonOf, unexpected } from './give-up.ts'
import * as machine from './machine.ts'

// Constants of this module become part of the machine code; those of another module do not.
const { code, made, numbers, readSlot, run, values, writeSlot } = shared
const { execute } = machine

/** Runs a program fast, or leaves it to the walker. */
export interface Engine {
  /**
   * Gives the result, or what `walk` gives: where something is out of the ordinary the program runs again, by the walker,
   * which finds the words for it. Why is counted; see {@link GiveUpCounts}.
   */
  run(args: unknown, walk: Walk): unknown
}

/**
 * Runs a program by the walker.
 *
 * @param frame - the variables with the arguments loaded; undefined where they have to be loaded first
 */
export type Walk = (args: unknown, frame: unknown[] | undefined) => unknown

/**
 * Compiles a checked program for the engine.
 *
 * @param inputSlots - slots of the arguments that the program may read
 * @param giveUps - where runs that are left to the walker are counted
 * @returns undefined for a program that is too large for it
 */
export function compileEngine(
  program: Program,
  inputSlots: readonly number[],
  giveUps: GiveUpCounts = new GiveUpCounts(),
): Engine | undefined {
  try {
    return new CompiledEngine(program, inputSlots, giveUps)
  } catch (error) {
    if (error instanceof GiveUp) return undefined
    throw error
  }
}

/** A copy of code and constants in one array, which costs least to keep: their number, then they, then the words. */
function imageOf({ constants, words }: StepCompiler['writer']): readonly number[] {
  return [constants.length, ...constants, ...words]
}

class CompiledEngine implements Engine {
  readonly #image: readonly number[]
  readonly #pool: StepCompiler['writer']['pool']
  /** What functions know of a run; undefined where there are none. */
  readonly #state: EngineRun | undefined
  /** Numbers only: no functions, no tables. */
  readonly #isBare: boolean
  readonly #loader: ArgumentLoader
  readonly #tables: Program['tables']
  readonly #names: number
  /** How many slots variables take; constants come after them. */
  readonly #slots: number
  /** The slot of each argument, and where it is loaded. */
  readonly #inputs: readonly number[]
  readonly #loaded: readonly number[]
  readonly #giveUps: GiveUpCounts

  constructor(program: Program, inputSlots: readonly number[], giveUps: GiveUpCounts) {
    this.#giveUps = giveUps
    const { names, inputs, tables, steps } = program
    const slots = inputs?.map(({ slot }) => slot) ?? inputSlots
    const outputs = new Set<number>()
    noteOutputs(steps, outputs)
    const copies: { from: number; to: number }[] = []
    let count = names.length
    const loaded = slots.map((slot) => {
      if (!outputs.has(slot)) return slot
      copies.push({ from: count, to: slot })
      return count++
    })
    const compiler = new StepCompiler(program, count)
    compiler.write(steps, { inputs: slots, outputs, copies })
    const { writer } = compiler
    this.#image = imageOf(writer)
    // Functions may hold on to the writer.
    writer.words.length = 0
    writer.constants.length = 0
    const hasFunctions = writer.pool.length > 0
    this.#pool = hasFunctions ? writer.pool : noFunctions
    this.#state = hasFunctions ? compiler.run : undefined
    this.#isBare = !hasFunctions && tables.length === 0
    this.#loader = new ArgumentLoader(
      program,
      slots.map((slot) => names[slot] ?? ''),
      copies.length > 0 ? loaded : slots,
    )
    this.#tables = tables
    this.#names = names.length
    this.#slots = count
    this.#inputs = slots
    this.#loaded = copies.length > 0 ? loaded : slots
  }

  run(args: unknown, walk: Walk): unknown {
    // A getter of the arguments calls a program: there is one frame only.
    if (run.busy) {
      this.#giveUps.add('nested')
      return walk(args, undefined)
    }
    let frame: unknown[] | undefined
    let isLoaded = false
    let failure: unknown
    run.busy = true
    try {
      // A run that had no stack left could not clear up.
      if (run.dirty) clearAll()
      // First: arguments overwrite what another program left there, even if loading them fails.
      if (run.image !== this.#image) this.#install()
      this.#loader.load(args)
      isLoaded = true
      if (!this.#isBare) this.#prepare()
      return execute(0, this.#pool)
    } catch (error) {
      failure = error
      if (isLoaded) frame = this.#snapshot(args)
    } finally {
      // First, because calling anything may need more stack than there is.
      run.busy = false
      if (run.dirty) this.#clear()
    }
    return this.#leave(failure, () => walk(args, frame))
  }

  /** Leaves a run to the walker. What neither gave up nor is the caller's doing is a defect, and shown as one. */
  #leave(failure: unknown, walk: () => unknown): unknown {
    const reason = reasonOf(failure)
    if (reason !== undefined) {
      this.#giveUps.add(reason)
      return walk()
    }
    try {
      const result = walk()
      this.#noteUnexpected(failure)
      return result
    } catch (error) {
      // Then the walker has met the same getter or proxy.
      if (isHostReadError(error)) this.#giveUps.add('caller')
      else this.#noteUnexpected(failure)
      throw error
    }
  }

  #noteUnexpected(failure: unknown): void {
    this.#giveUps.add('unexpected')
    unexpected.handle(failure)
  }

  #prepare(): void {
    run.dirty = true
    for (const { slot, value } of this.#tables) writeSlot(slot, value)
    const state = this.#state
    if (state === undefined) return
    state.budget.units = 0
    state.runs++
  }

  #install(): void {
    const image = this.#image
    const [constants = 0] = image
    for (let index = 0; index < constants; index++) {
      numbers[this.#slots + index] = image[index + 1]!
    }
    const { length } = image
    for (let index = constants + 1; index < length; index++) {
      code[index - constants - 1] = image[index]!
    }
    run.image = image
  }

  /** The variables as they were before the first step. */
  #snapshot(args: unknown): unknown[] {
    const frame: unknown[] = Array.from({ length: this.#names + 1 })
    frame[this.#names] = args
    for (const [index, slot] of this.#inputs.entries()) {
      const from = this.#loaded[index]!
      if (numbers[from] === numbers[from] || values[from] !== undefined)
        frame[slot] = readSlot(from)
    }
    for (const { slot, value } of this.#tables) frame[slot] = value
    return frame
  }

  /** Keeps nothing of the caller's. */
  #clear(): void {
    for (let slot = 0; slot < this.#slots; slot++) values[slot] = undefined
    if (made.size > 0) made.clear()
    run.dirty = false
  }
}

const noFunctions: StepCompiler['writer']['pool'] = []

function clearAll(): void {
  values.fill(undefined)
  made.clear()
  run.dirty = false
}
