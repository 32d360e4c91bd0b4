/**
 * Loads fields of many objects into columns of numbers. V8 remembers for each place of the source where a field was
 * last found in an object, so loaders that read different fields have to be different places of the source: that makes
 * this text repeat itself, and lists five times as fast. Each loader reads three fields for as long as they are numbers of
 * JSON and their objects inherit from `Object.prototype` only. Everything
 * is written out, because V8 then knows from the reading of a field what an object inherits from.
 */
const most = Number.MAX_SAFE_INTEGER
const plain = Object.prototype
const prototypeOf = Object.getPrototypeOf

/** Where three fields go. */
export type Columns = readonly [Float64Array, Float64Array, Float64Array]
type Row = Readonly<Record<string, unknown>>

/** What to read: from which items, and which fields. */
interface Rows {
  readonly items: readonly unknown[]
  readonly from: number
  readonly count: number
  readonly keys: readonly string[]
}

type Loader = (rows: Rows, columns: Columns) => boolean

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && value <= most && value >= -most

const loaders: readonly Loader[] = [
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
  ({ items, from, count, keys: [a, b, c] }, [x, y, z]) => {
    for (let index = 0; index < count; index++) {
      const row = items[from + index] as Row | null | undefined
      if (row === null || row === undefined) return false
      const u = row[a!]
      const v = row[b!]
      const w = row[c!]
      if (prototypeOf(row) !== plain) return false
      if (typeof u !== 'number' || !(u <= most && u >= -most)) return false
      if (typeof v !== 'number' || !(v <= most && v >= -most)) return false
      if (typeof w !== 'number' || !(w <= most && w >= -most)) return false
      x[index] = u
      y[index] = v
      z[index] = w
    }
    return true
  },
]

const last = loaders.length - 1

/** The loader of all fields that have none of their own. */
export const sharedLoader: number = last

/** Which fields have a loader of their own. They keep it: what V8 remembered for a place stays there. */
const owners = new Map<string, number>()

/**
 * The loader for the fields of a program that runs often: one of their own while there are any, otherwise the one that is
 * shared. All of them load the same; fields that take turns at the shared one are slower.
 */
export function loaderFor(keys: readonly string[]): number {
  const text = JSON.stringify(keys)
  const known = owners.get(text)
  if (known !== undefined || owners.size === last) return known ?? sharedLoader
  const index = owners.size
  owners.set(text, index)
  return index
}

/** Loads three fields; false where something is no number, or no field of its own. */
export function loadRows(loader: number, rows: Rows, columns: Columns): boolean {
  return loaders[loader]!(rows, columns)
}

/** Loads items that are numbers themselves. */
export function loadItems({ items, from, count }: Rows, column: Float64Array): boolean {
  for (let index = 0; index < count; index++) {
    const value = items[from + index]
    if (!isNumber(value)) return false
    column[index] = value
  }
  return true
}
