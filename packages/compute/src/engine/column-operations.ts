import { powersOfTen, type RoundingMode } from '../values/decimal.ts'
import { roundMantissa } from '../values/round-decimal.ts'

/** How many items are worked on at a time. */
export const columnSize = 512

/** Some numbers; those of decimals are whole and stand for themselves divided by ten to the power of `places`. */
export interface Column {
  readonly data: Float64Array
  places: number
}

/**
 * Works out a column from others. What is no number, too large or divided by what is not finite becomes NaN, which
 * stays NaN, unless it is not chosen. True is 1, false is 0.
 */
export type Operation = (count: number, into: Column, from: readonly Column[]) => void

const finite = (value: number): boolean => value - value === 0
const safe = (value: number): number =>
  value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? value : Number.NaN
const scaled = (value: number, factor: number): number =>
  factor === 1 ? value : safe(value * factor)
const power = (places: number): number => powersOfTen[places] ?? Number.NaN

/** Finds the scale that two columns share, and what to multiply each with. */
function align(into: Column, x: Column, y: Column): readonly [number, number] {
  into.places = Math.max(x.places, y.places)
  return [power(into.places - x.places), power(into.places - y.places)]
}

/** + - * / % of doubles, by index. */
export const floatOperations: readonly Operation[] = [
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) data[index] = left[index]! + right[index]!
  },
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) data[index] = left[index]! - right[index]!
  },
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) data[index] = left[index]! * right[index]!
  },
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) {
      const by = right[index]!
      data[index] = left[index]! / (by - by + by)
    }
  },
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) {
      const by = right[index]!
      data[index] = left[index]! % (by - by + by)
    }
  },
]

/** x * y * z of doubles */
export const multiplyThree: Operation = (count, { data }, [x, y, z]) => {
  const [first, second, third] = [x!.data, y!.data, z!.data]
  for (let index = 0; index < count; index++) {
    data[index] = first[index]! * second[index]! * third[index]!
  }
}

const addExact =
  (sign: number): Operation =>
  (count, into, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    const [first, second] = align(into, x!, y!)
    for (let index = 0; index < count; index++) {
      into.data[index] = safe(scaled(left[index]!, first) + sign * scaled(right[index]!, second))
    }
  }

const multiplyExact: Operation = (count, into, [x, y]) => {
  const [left, right] = [x!.data, y!.data]
  into.places = x!.places + y!.places
  for (let index = 0; index < count; index++) {
    into.data[index] = safe(left[index]! * right[index]!)
  }
}

/** + - * of decimals, by index. */
export const decimalOperations: readonly Operation[] = [addExact(1), addExact(-1), multiplyExact]

const compare =
  (equal: boolean): Operation =>
  (count, into, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    const [first, second] = align(into, x!, y!)
    into.places = 0
    for (let index = 0; index < count; index++) {
      const difference = scaled(left[index]!, first) - scaled(right[index]!, second)
      const holds = equal ? difference === 0 : difference < 0
      into.data[index] = finite(difference) ? Number(holds) : Number.NaN
    }
  }

export const less: Operation = compare(false)
export const equal: Operation = compare(true)

/** `&&` for 0, `||` for 1: the second where the first is not this. */
export const either =
  (early: number): Operation =>
  (count, { data }, [x, y]) => {
    const [left, right] = [x!.data, y!.data]
    for (let index = 0; index < count; index++) {
      const first = left[index]!
      data[index] = first === early ? early : first - first + right[index]!
    }
  }

export const invert: Operation = (count, { data }, [x]) => {
  for (let index = 0; index < count; index++) data[index] = 1 - x!.data[index]!
}

export const choose: Operation = (count, into, [test, x, y]) => {
  const [first, second] = align(into, x!, y!)
  for (let index = 0; index < count; index++) {
    const is = test!.data[index]!
    into.data[index] =
      is === 1
        ? scaled(x!.data[index]!, first)
        : is === 0
          ? scaled(y!.data[index]!, second)
          : Number.NaN
  }
}

/** One function for each number. */
export const through =
  (work: (value: number) => number): Operation =>
  (count, into, [x]) => {
    into.places = x!.places
    for (let index = 0; index < count; index++) into.data[index] = work(x!.data[index]!)
  }

/** Rounds decimals to so many places. */
export const roundExact =
  (digits: number, rounding: RoundingMode): Operation =>
  (count, into, [x]) => {
    const { data, places } = x!
    into.places = Math.min(places, digits)
    // Dropping more digits costs units.
    const by = places - into.places > 15 ? Number.NaN : power(places - into.places)
    for (let index = 0; index < count; index++) {
      const value = data[index]!
      into.data[index] = by === 1 ? value : roundMantissa(value, by, rounding)
    }
  }
