import {
  type Copying,
  type Place,
  absent,
  below,
  copyLeaf,
  entered,
  orNull,
  refuseUnreadable,
  root,
  setOwn,
  spend,
  startCopying,
} from './plain-json-copy.ts'
import type { PlainLimits } from './plain-json.ts'

/** Entries that are copied between two pauses. */
const entriesPerPause = 256

/** A value as plain JSON data. */
export interface SlicedCopy {
  readonly value: unknown
  /** The value had something in it that JSON leaves out or writes differently. */
  readonly isChanged: boolean
  /** Objects and lists in the copy that are so small that they can be written at once. */
  readonly small: WeakSet<object>
}

/** Characters of JSON text that are written at once. */
const smallLength = 4_096

interface Slicing extends Copying {
  readonly small: WeakSet<object>
}

/**
 * Copies a value as `copyAsPlainJson` does, and pauses on the way: what it gives agrees with no single moment of a value that
 * is changed meanwhile, but the copy itself is changed by nobody.
 *
 * @yields nothing: it pauses.
 * @throws {NotPlainJsonError} when JSON would lose or change something, or a limit is passed.
 */
export function* copyPlainJsonInSlices(
  value: unknown,
  limits: PlainLimits,
  lenient = false,
): Generator<void, SlicedCopy> {
  const slicing: Slicing = { ...startCopying(limits, lenient), small: new WeakSet() }
  const copy = yield* copyValue(value, root, slicing)
  const { isChanged, small } = slicing
  return { value: orNull(copy, value, slicing), isChanged, small }
}

function* copyValue(value: unknown, place: Place, copying: Slicing): Generator<void, unknown> {
  const leaf = copyLeaf(value, place, copying)
  return leaf === entered ? yield* copyOpened(place, copying) : leaf
}

function* copyEntries(value: object, place: Place, copying: Slicing): Generator<void, object> {
  spend(copying, 2)
  return yield* Array.isArray(value)
    ? copyList(value, place, copying)
    : copyRecord(value as Record<string, unknown>, place, copying)
}

function* copyList(
  list: readonly unknown[],
  place: Place,
  copying: Slicing,
): Generator<void, unknown[]> {
  const copy: unknown[] = []
  const { length } = list
  for (let index = 0; index < length; index += 1) {
    const itemPlace = below(place, String(index), list)
    const item = copyLeaf(list[index], itemPlace, copying)
    const whole = item === entered ? yield* copyOpened(itemPlace, copying) : item
    copy.push(whole === absent ? null : whole)
    spend(copying, 1)
    copying.steps += 1
    if (copying.steps % entriesPerPause === 0) yield
  }
  return copy
}

function* copyRecord(
  record: Record<string, unknown>,
  place: Place,
  copying: Slicing,
): Generator<void, Record<string, unknown>> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    copying.steps += 1
    if (copying.steps % entriesPerPause === 0) yield
    const entryPlace = below(place, key, record)
    const entry = copyLeaf(record[key], entryPlace, copying)
    const whole = entry === entered ? yield* copyOpened(entryPlace, copying) : entry
    if (whole === absent) continue
    spend(copying, key.length + 3)
    setOwn(copy, key, whole)
  }
  return copy
}

function* copyOpened(place: Place, copying: Slicing): Generator<void, unknown> {
  const { opened, remaining } = copying
  try {
    const copy = yield* copyEntries(opened, place, copying)
    if (remaining - copying.remaining <= smallLength) copying.small.add(copy)
    return copy
  } catch (error) {
    return refuseUnreadable(error, place, copying)
  }
}
