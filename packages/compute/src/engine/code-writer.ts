import { codeSize, giveUp, slotCount } from './frame.ts'
import type { ValueCode } from './machine.ts'

/** A place in code that is jumped to, and the words that jump there. */
export interface Label {
  readonly jumps: number[]
}

/** Operations of {@link execute}; those with an operator in them begin where its first one is. */
export const operations = {
  apply: 0,
  applyPushed: 5,
  applyRight: 10,
  applyLeft: 15,
  applyPopped: 20,
  applyPair: 25,
  applyTwice: 50,
  applyLeftPopped: 75,
  applyRightPopped: 100,
  load: 125,
  loadPushed: 126,
  push: 127,
  spill: 128,
  unspill: 129,
  negate: 130,
  call: 131,
  store: 132,
  jump: 133,
  compareSlots: 134,
  compareRight: 140,
  keep: 146,
  through: 147,
  test: 152,
  testSlot: 153,
  assign: 154,
  returnNumber: 155,
  returnSlot: 156,
  returnValue: 157,
  fail: 158,
  returnTrue: 159,
  returnFalse: 160,
  unary: 161,
  binary: 167,
  copy: 168,
  applyThree: 175,
} as const

const { apply, applyPushed, applyRight, applyLeft, applyPopped, applyPair } = operations
const { applyTwice, applyLeftPopped, applyRightPopped, load, loadPushed, push } = operations
const { jump, spill, unspill, applyThree } = operations

const noFunction: ValueCode = () => giveUp('type')

/** Writes the code of one program, joining operations that have a joint form. */
export class CodeWriter {
  readonly words: number[] = []
  readonly constants: number[] = []
  readonly pool: ValueCode[] = []
  readonly #firstConstant: number
  #lastTemporary = slotCount
  /** The word before may be joined with the next: nothing jumps between them. */
  #joinable = false
  /** A is to be kept in B by what comes next. */
  #pending = false
  /** Index of the second word of the operation on three slots that was written last. */
  #three = -1
  /** How many values wait below A. */
  #depth = 0
  readonly #spilled: number[] = []

  constructor(variableCount: number) {
    this.#firstConstant = variableCount
  }

  emit(operation: number, a = 0, b = 0): void {
    this.flush()
    this.words.push(operation | (a << 8) | (b << 20))
    this.#joinable = true
    if (this.words.length > codeSize - 2) giveUp('too_large')
  }

  /** The slot of a number. */
  constant(value: number): number {
    let index = this.constants.indexOf(value)
    if (index < 0) index = this.constants.push(value) - 1
    return this.#checked(this.#firstConstant + index)
  }

  /** A slot that nothing else uses. */
  temporary(): number {
    return this.#checked(--this.#lastTemporary)
  }

  #checked(slot: number): number {
    const isFree = this.#firstConstant + this.constants.length <= this.#lastTemporary
    return isFree ? slot : giveUp('too_large')
  }

  /** Index of a function in the pool. */
  pooled(call: ValueCode): number {
    // The first is what comparisons without another way name.
    if (this.pool.length === 0) this.pool.push(noFunction)
    const index = this.pool.push(call) - 1
    return index < slotCount ? index : giveUp('too_large')
  }

  /** Keeps A while something else is worked out in it. */
  push(): void {
    if (++this.#depth > 1) {
      const slot = this.temporary()
      this.#spilled.push(slot)
      this.emit(spill, slot)
    }
    this.#pending = true
  }

  /** Ends what {@link push} began, once A and B are one. */
  pop(): void {
    if (--this.#depth > 0) this.emit(unspill, this.#spilled.pop())
  }

  flush(): void {
    if (!this.#pending) return
    this.#pending = false
    this.emit(push)
  }

  /** Stores A. */
  store(slot: number): void {
    if (this.#joinable && this.#three === this.words.length - 1 && slot > 0) {
      this.words[this.#three]! |= slot << 12
      this.#three = -1
    } else this.emit(operations.store, slot)
  }

  load(slot: number): void {
    const operation = this.#pending ? loadPushed : load
    this.#pending = false
    this.emit(operation, slot)
  }

  /** A = x operator y */
  apply(operator: number, x: number, y: number): void {
    const first = this.#pending ? applyPushed : apply
    this.#pending = false
    this.emit(first + operator, x, y)
  }

  /** A = A operator x */
  applyRight(operator: number, x: number): void {
    const last = this.#last()
    if (last >= applyRight && last < applyLeft) {
      this.#replace(applyTwice + (last - applyRight) * 5 + operator, x)
    } else if (last >= apply && last < applyPushed) {
      const index = this.words.length - 1
      this.words[index] = (this.words[index]! & ~255) | (applyThree + last * 5 + operator)
      this.#three = this.words.push(x) - 1
    } else this.emit(applyRight + operator, x)
  }

  /** A = x operator A */
  applyLeft(operator: number, x: number): void {
    if (operator % 2 === 0 && operator < 4) this.applyRight(operator, x)
    else this.emit(applyLeft + operator, x)
  }

  /** A = A operator (x other y) */
  applyPair(operator: number, other: number, [x, y]: readonly [number, number]): void {
    this.emit(applyPair + operator * 5 + other, x, y)
  }

  /** A = B operator A */
  applyPopped(operator: number): void {
    const last = this.#last()
    const right = last - applyRight
    if (right >= 0 && right < 10) {
      const other = right % 5
      // Right and left are the same for + and *.
      const first = right < 5 && other % 2 === 1 ? applyRightPopped : applyLeftPopped
      this.#replace((right === 4 ? applyRightPopped : first) + operator * 5 + other)
    } else this.emit(applyPopped + operator)
    this.pop()
  }

  /** Operation of the last word; none where something jumps to its end. */
  #last(): number {
    const word = this.words.at(-1)
    const isOperation = this.#joinable && !this.#pending && this.#three !== this.words.length - 1
    return isOperation && word !== undefined ? word & 255 : -1
  }

  #replace(operation: number, y = 0): void {
    const index = this.words.length - 1
    this.words[index] = ((this.words[index] ?? 0) & ~255) | operation | (y << 20)
  }

  /** Jumps by the word that comes now; `other` is put in its upper half. */
  target(label: Label, other = 0): void {
    label.jumps.push(this.words.push(other << 16) - 1)
    this.#joinable = false
  }

  jump(label: Label): void {
    this.emit(jump)
    label.jumps.push(~(this.words.length - 1))
    this.#joinable = false
  }

  /** Where the jumps to a label go. */
  place({ jumps }: Label): void {
    this.flush()
    this.#joinable = false
    const { length } = this.words
    for (const index of jumps) {
      if (index < 0) this.words[~index] = jump | (length << 8)
      else this.words[index] = (this.words[index] ?? 0) | length
    }
  }
}

/** A label that is not placed yet. */
export const newLabel = (): Label => ({ jumps: [] })
