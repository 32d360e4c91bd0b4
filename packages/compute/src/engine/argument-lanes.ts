/* oxlint-disable max-lines -- the same text many times */
/**
 * Reads arguments by their names. V8 remembers for each place of the source where a name was last found in an object:
 * a program that runs often gets places of its own, which makes reading as fast as in code written by hand. Elsewhere
 * the names and the objects of many programs would push each other out.
 */
import * as frame from './frame.ts'

const { numbers, run, values } = frame
const most = Number.MAX_SAFE_INTEGER
const plain: Row = Object.prototype as unknown as Row

type Row = Readonly<Record<string, unknown>>

/** Arguments that are wanted. */
export interface LaneUser {
  readonly names: readonly string[]
  /** Where each goes. */
  readonly slots: readonly number[]
  /** Most UTF-16 units of a string. */
  readonly longest: number
  /** Takes what is no ordinary number and no ordinary string. */
  put(slot: number, value: unknown): void
}

/**
 * Reads all arguments of an object that inherits from `Object.prototype` only.
 *
 * @returns how many of them were there and were read; -1 for another object
 */
export type Lane = (args: Row, user: LaneUser) => number

function take(user: LaneUser, slot: number, value: unknown): void {
  if (typeof value === 'string' && value.length <= user.longest) {
    numbers[slot] = Number.NaN
    values[slot] = value
    run.dirty = true
  } else user.put(slot, value)
}

const lanes: Lane[] = [
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
  (args, user) => {
    if (args['__proto__'] !== plain) return -1
    const { names, slots } = user
    const { length } = names
    let name = ''
    let value: unknown
    name = names[0]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 0
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[0]!] = value + 0
    else take(user, slots[0]!, value)
    if (length === 1) return 1
    name = names[1]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 1
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[1]!] = value + 0
    else take(user, slots[1]!, value)
    if (length === 2) return 2
    name = names[2]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 2
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[2]!] = value + 0
    else take(user, slots[2]!, value)
    if (length === 3) return 3
    name = names[3]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 3
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[3]!] = value + 0
    else take(user, slots[3]!, value)
    if (length === 4) return 4
    name = names[4]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 4
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[4]!] = value + 0
    else take(user, slots[4]!, value)
    if (length === 5) return 5
    name = names[5]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 5
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[5]!] = value + 0
    else take(user, slots[5]!, value)
    if (length === 6) return 6
    name = names[6]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 6
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[6]!] = value + 0
    else take(user, slots[6]!, value)
    if (length === 7) return 7
    name = names[7]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 7
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[7]!] = value + 0
    else take(user, slots[7]!, value)
    if (length === 8) return 8
    name = names[8]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 8
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[8]!] = value + 0
    else take(user, slots[8]!, value)
    if (length === 9) return 9
    name = names[9]!
    value = args[name]
    if (!(name in args) || plain[name] !== undefined) return 9
    if (typeof value === 'number' && value <= most && value >= -most) numbers[slots[9]!] = value + 0
    else take(user, slots[9]!, value)
    return 10
  },
]

/** Most arguments that a lane can read. */
export const mostArguments = 10

/** Places that nobody has; undefined when all are taken, or where the host took `__proto__` away. */
export function takeLane(): Lane | undefined {
  try {
    return ({} as Row)['__proto__'] === plain ? lanes.pop() : undefined
  } catch {
    return undefined
  }
}
