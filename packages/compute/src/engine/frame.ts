import { GiveUp, type GiveUpReason } from './give-up.ts'

/**
 * The variables, constants and intermediate results of the run at hand. One frame for all programs: the compiled code
 * of the machine knows its address, which a frame of each run's own would cost half of the speed to look up. So a run
 * must not start inside another one; whoever starts one asks {@link run}.busy first.
 */
const frameSize = 4_096

/** Most words of a program's code. */
export const codeSize = 32_768

// Not exported themselves: what a module exports is no constant to V8.
const cells = new Float64Array(frameSize)
const boxes: unknown[] = Array.from({ length: frameSize }, () => undefined)

/** A number for each slot, or NaN: then look in {@link values}. */
export const numbers: Float64Array = cells

/** What is no number, by slot; undefined where nothing was assigned. */
export const values: unknown[] = boxes

/** The code of the program that ran last. */
export const code: Int32Array = new Int32Array(codeSize)

/** Slots that a program may use for all it has: an index fits twelve bits. */
export const slotCount: number = frameSize

const state: RunState = { busy: false, dirty: false, image: undefined }

/** What is true of the run at hand. */
export const run: RunState = state

interface RunState {
  busy: boolean
  /** Whether something may be in {@link values} or {@link made}. */
  dirty: boolean
  /** Whose code and constants are loaded. */
  image: readonly number[] | undefined
}

/** Ends the run at hand, or the compilation. */
export function giveUp(reason: GiveUpReason): never {
  throw new GiveUp(reason)
}

/** The value of a slot. */
export function readSlot(slot: number): unknown {
  const number = cells[slot]!
  return number === number ? number : (boxes[slot] ?? readNull(slot))
}

function readNull(slot: number): null {
  return boxes[slot] === null ? null : giveUp('unknown_variable')
}

/** Puts a value into a slot. */
export function writeSlot(slot: number, value: unknown): void {
  if (typeof value === 'number') cells[slot] = value
  else {
    cells[slot] = Number.NaN
    boxes[slot] = value
    state.dirty = true
  }
}

/** Arrays that the run at hand made: their items need no more checks. */
export const made: Set<object> = new Set<object>()

/**
 * The string that is the key of objects. One that was cut out of a text is another to V8, which compares the two letter
 * by letter and gives up machine code that was made for the one.
 */
export function keyOf(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text
}
