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
import type { JsonData } from './json-text-slices.ts'
import { type RecordKeys, rememberKeys } from './record-keys.ts'

/** Entries that are copied between two pauses. */
const entriesPerPause = 256

/** A value as plain JSON data. */
export interface SlicedCopy extends JsonData {
  /** The value had something in it that JSON leaves out or writes differently. */
  readonly isChanged: boolean
  /** A key was met that was looked for. */
  readonly hasWantedKey: boolean
}

/** How a value is copied. */
export interface CopyOptions {
  readonly limits: PlainLimits
  /** What cannot be written becomes a text that says what was there. @default false */
  readonly isLenient?: boolean
  /** Keys that are looked for. @default none */
  readonly isWantedKey?: (key: string) => boolean
}

/** Characters of JSON text that are written at once. */
const smallLength = 4_096

interface Slicing extends Copying {
  readonly small: Set<object>
  readonly keys: RecordKeys
  readonly isWantedKey: (key: string) => boolean
  hasWantedKey: boolean
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
  { limits, isLenient = false, isWantedKey = () => false }: CopyOptions,
): Generator<void, SlicedCopy> {
  const slicing: Slicing = {
    ...startCopying(limits, isLenient),
    small: new Set(),
    keys: new Map(),
    isWantedKey,
    hasWantedKey: false,
  }
  const copy = yield* copyValue(value, root, slicing)
  const { isChanged, small, keys, hasWantedKey } = slicing
  return { value: orNull(copy, value, slicing), isChanged, small, keys, hasWantedKey }
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
  const keys: string[] = []
  for (const key of Object.keys(record)) {
    copying.steps += 1
    if (copying.steps % entriesPerPause === 0) yield
    const entryPlace = below(place, key, record)
    const entry = copyLeaf(record[key], entryPlace, copying)
    const whole = entry === entered ? yield* copyOpened(entryPlace, copying) : entry
    if (whole === absent) continue
    spend(copying, key.length + 3)
    setOwn(copy, key, whole)
    keys.push(key)
    if (!copying.hasWantedKey && copying.isWantedKey(key)) copying.hasWantedKey = true
  }
  rememberKeys(copy, keys, copying.keys)
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
