import type { Program, ProgramInput } from '../language/program.ts'
import { checkValue, isPlainObject } from '../values/json-value.ts'
import { checkDeclared, type DeclaredPlace } from '../walk/check-declared.ts'
import { type Lane, type LaneUser, mostArguments, takeLane } from './argument-lanes.ts'
import { compileCheck, type QuickCheck } from './declared-check.ts'
import * as frame from './frame.ts'

// A constant of this module, whose address becomes part of the machine code.
const { giveUp, keyOf, numbers, readSlot, writeSlot } = frame
const plain = Object.prototype
const prototypeOf = Object.getPrototypeOf
const empty = {}

const noChecks: readonly QuickCheck[] = []
const none: readonly number[] = []

/** How often callers may change the order of the arguments before it is no longer learnt. */
const mostOrders = 32
const most = Number.MAX_SAFE_INTEGER

/** How often a program runs before it gets places of its own, and how often they are checked then. */
const runsBefore = 64
const runsBetween = 1_023

/**
 * Loads arguments into the frame. What costs most there is finding them. So the order of their keys is learnt: `for in`
 * hands out values faster than any look-up by name; where the keys are the ones expected, and objects inherit none, they
 * are the object's own. A program that runs often, always with the same keys, gets a lane.
 */
export class ArgumentLoader implements LaneUser {
  names: readonly string[]
  readonly slots: readonly number[]
  readonly longest: number
  readonly #declared: readonly ProgramInput[] | undefined
  readonly #place: DeclaredPlace
  readonly #checks: readonly QuickCheck[]
  /** Keys in their order, up to the last that is wanted; undefined where there is no order to rely on. */
  #keys: readonly string[] | undefined
  /** The slot of each key, or -1. */
  #keySlots: readonly number[] = none
  /** Which arguments there were not, by index. */
  #missing: readonly number[] = none
  #orders = 0
  #runs = 0
  #lane: Lane | undefined

  /** @param slots - where to put each argument */
  constructor({ inputs, limits }: Program, names: readonly string[], slots: readonly number[]) {
    this.names = names
    this.slots = slots
    this.longest = limits.maxTextLength
    this.#declared = inputs
    this.#place = placeOf(limits)
    this.#checks = inputs?.map(({ declaration }) => compileCheck(declaration, limits)) ?? noChecks
  }

  /** Loads all of them, or gives up. */
  load(args: unknown): void {
    if (args === null || args === undefined) giveUp('bad_argument')
    if (this.#lane === undefined || (++this.#runs & runsBetween) === 0) this.#loadInOrder(args)
    else {
      const read = this.#lane(args as Readonly<Record<string, unknown>>, this)
      if (read < 0) this.#loadInOrder(args)
      else {
        const { length } = this.names
        for (let index = read; index < length; index++) this.#findOne(args as object, index)
      }
    }
    if (this.#declared !== undefined) this.#check(this.#declared)
  }

  #loadInOrder(args: unknown): void {
    const isOurs = prototypeOf(args) === plain
    if (!isOurs && !isPlainObject(args)) return giveUp('bad_argument')
    const index = this.#readInOrder(args as object)
    if (index < (this.#keys?.length ?? 1) || !isOurs || !inheritsNothing()) {
      this.#find(args as object, index)
    } else for (const missing of this.#missing) this.#findOne(args as object, missing)
    if (++this.#runs === runsBefore && this.#orders < 4 && this.names.length <= mostArguments) {
      this.#lane = takeLane()
    }
  }

  /** How many of the keys were where they were expected. */
  #readInOrder(args: object): number {
    const keys = this.#keys
    const slots = this.#keySlots
    let index = 0
    if (keys === undefined || keys.length === 0) return 0
    const { length } = keys
    for (const key in args) {
      if (key !== keys[index]) break
      const slot = slots[index]!
      if (slot >= 0) {
        const value = (args as Readonly<Record<string, unknown>>)[key]
        if (typeof value === 'number' && value <= most && value >= -most) {
          numbers[slot] = value + 0
        } else this.put(slot, value)
      }
      if (++index === length) break
    }
    return index
  }

  put(slot: number, value: unknown): void {
    if (value === undefined) {
      // A declared argument that is undefined is a missing one.
      if (this.#declared === undefined) giveUp('bad_argument')
      this.#putMissing(slot)
      return
    }
    writeSlot(slot, this.#place.check(value, ''))
  }

  #putMissing(slot: number): void {
    const input = this.#declared?.[this.slots.indexOf(slot)]
    writeSlot(slot, input && (input.declaration.default ?? noDefault(input)))
  }

  #findOne(args: object, index: number): void {
    const name = this.names[index]!
    const slot = this.slots[index]!
    if (!Object.hasOwn(args, name)) return this.#putMissing(slot)
    const value = (args as Readonly<Record<string, unknown>>)[name]
    this.put(slot, value)
  }

  /** Finds each by its name, but for those that were read already: a getter is called once. */
  #find(args: object, read: number): void {
    const { length } = this.names
    const keys = read > 0 ? this.#keys?.slice(0, read) : undefined
    for (let index = 0; index < length; index++) {
      const name = this.names[index]!
      if (keys?.includes(name) !== true || !Object.hasOwn(args, name)) this.#findOne(args, index)
    }
    // A program that runs once has nothing to learn.
    if (++this.#orders < mostOrders && this.#runs > 0) this.#learn(args)
    // Too many orders for places to remember.
    if (this.#orders > 4) this.#lane = undefined
  }

  #learn(args: object): void {
    const names = this.names.map((name) => keyOf(name))
    const keys: string[] = []
    let length = 0
    let left = names.length
    for (const key in args) {
      if (left === 0 || !Object.hasOwn(args, key)) break
      keys.push(key)
      if (!names.includes(key)) continue
      left--
      ;({ length } = keys)
    }
    const isWorth = length < 4 * names.length + 8
    const learnt = keys.slice(0, length)
    const slots = learnt.map((key) => this.slots[names.indexOf(key)] ?? -1)
    const missing = Array.from(names.keys()).filter((index) => !keys.includes(names[index]!))
    // All at once: where the stack runs out above, what was learnt before still fits together.
    this.names = names
    this.#keys = isWorth ? learnt : undefined
    this.#keySlots = slots
    this.#missing = missing.length > 0 ? missing : none
  }

  #check(declared: readonly ProgramInput[]): void {
    const checks = this.#checks
    for (let index = 0; index < checks.length; index++) {
      const slot = this.slots[index]!
      const value = readSlot(slot)
      if (checks[index]!(value)) continue
      const { declaration } = declared[index]!
      if (value === null && declaration.default === null) continue
      writeSlot(slot, checkDeclared(value, declaration, { place: this.#place, label: '' }))
    }
  }
}

/** Whether `for in` gives own keys only. */
function inheritsNothing(): boolean {
  for (const _ in empty) return false
  return true
}

/** Most programs have the same limits, and one place does for all of them. */
const places = new WeakMap<Program['limits'], DeclaredPlace>()

function placeOf(limits: Program['limits']): DeclaredPlace {
  const known = places.get(limits)
  if (known !== undefined) return known
  const check = (value: unknown): unknown => checkValue(value, { path: '', label: '', limits })
  const place = { limits, check, error: () => giveUp('bad_argument') }
  places.set(limits, place)
  return place
}

const noDefault = ({ declaration }: ProgramInput): null =>
  declaration.default === null ? null : giveUp('bad_argument')
