import type { Program } from '../language/program.ts'
import { ArgumentLoader } from './argument-loader.ts'
import { noteOutputs, StepCompiler } from './compile-steps.ts'
import * as shared from './frame.ts'
import * as machine from './machine.ts'

// Constants of this module become part of the machine code; those of another module do not.
const { bail, code, made, numbers, readSlot, run, values, writeSlot } = shared
const { execute } = machine

/** Runs a program fast, or leaves it to the walker. */
export interface Engine {
  /**
   * Gives the result, or what `walk` gives: where something is out of the ordinary the program runs again, by the walker,
   * which finds the words for it.
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
 * @returns undefined for a program that is too large for it
 */
export function compileEngine(program: Program, inputSlots: readonly number[]): Engine | undefined {
  try {
    return new CompiledEngine(program, inputSlots)
  } catch (error) {
    if (error === bail) return undefined
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
  readonly #budget: { units: number }
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

  constructor(program: Program, inputSlots: readonly number[]) {
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
    this.#budget = hasFunctions ? compiler.budget : noBudget
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
    if (run.busy) return walk(args, undefined)
    let frame: unknown[] | undefined
    let isLoaded = false
    run.busy = true
    try {
      // First: arguments overwrite what another program left there, even if loading them fails.
      if (run.image !== this.#image) this.#install()
      this.#loader.load(args)
      isLoaded = true
      if (!this.#isBare) this.#prepare()
      return execute(0, this.#pool)
    } catch {
      // Whatever it was, the walker meets it again.
      if (isLoaded) frame = this.#snapshot(args)
    } finally {
      if (run.dirty || !this.#isBare) this.#clear()
      run.busy = false
    }
    return walk(args, frame)
  }

  #prepare(): void {
    for (const { slot, value } of this.#tables) writeSlot(slot, value)
    this.#budget.units = 0
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
const noBudget = { units: 0 }
