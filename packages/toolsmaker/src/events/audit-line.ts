import { hash } from 'node:crypto'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'

// One row of `audit.jsonl`:
//   {"hash":"<64>","end":true,"sequence":1,"previous":"<64>","event":{…}}
// The hash covers the exact bytes behind its own field, the hash of the row before included. So a row is checked
// without reading it as JSON. `end` marks the last row of a batch and stands at a fixed place.

const hashStart = '{"hash":"'.length
const hashEnd = hashStart + 64
const bodyStart = hashEnd + '",'.length
const endMark = '"end":true,'
const endValue = '"end":'.length
const openText = '{"hash":"'
const brace = 125
const quote = 34
const comma = 44

/** The hash before the first row of a namespace's log. */
export function genesisHash(namespace: string): string {
  return hash('sha256', `toolcrib/audit/v1\n${namespace}`, 'hex')
}

/** What goes into one row. */
export interface AuditRow {
  readonly sequence: number
  readonly previous: string
  readonly end: boolean
  readonly event: LifecycleEvent
}

/** Writes one row, line break included, and gives its hash. */
export function encodeRow({ sequence, previous, end, event }: AuditRow): {
  readonly line: string
  readonly rowHash: string
} {
  const body = `${openBody({ end, sequence, previous })}${JSON.stringify(event)}}`
  const head = hash('sha256', body, 'hex')
  return { line: `{"hash":"${head}",${body}\n`, rowHash: head }
}

/** What stands between a row's hash and its event. */
function openBody({ end, previous, sequence }: Omit<AuditRow, 'event'>): string {
  return `"end":${end},"sequence":${sequence},"previous":"${previous}","event":`
}

/** Where a row should stand: behind the row with one of these hashes, with this number. */
export interface RowPlace {
  readonly sequence: number
  /** What the row before calls its hash; absent when that row cannot be read. */
  readonly previous?: string
  /** What the hash of the row before really is, where that differs. */
  readonly realPrevious?: string
}

/** What checking one row gave. */
export interface CheckedRow {
  readonly problem?: string
  /** SHA-256 of the body of a row that is as it should be. */
  readonly digest?: string
  /** Where the event begins in a row of which all before it is, to the letter, what is written there. */
  readonly eventStart?: number
  /** The place of the row that follows, if nothing is wrong with it. */
  readonly next: RowPlace
}

const placePattern = /^"sequence":(\d{1,15}),"previous":"([0-9a-f]{64})",/

/** Tells what is wrong with a row's hash or its place in the chain. One bad row leaves the rows behind it good. */
export function checkRow(bytes: Buffer, place: RowPlace): CheckedRow {
  return checkExpectedRow(bytes, place) ?? checkAnyRow(bytes, place)
}

/** The row that a whole log has at a place, told by comparing texts; nearly every row of every log is one. */
function checkExpectedRow(bytes: Buffer, place: RowPlace): CheckedRow | undefined {
  const { previous, realPrevious, sequence } = place
  if (previous === undefined || bytes.length <= bodyStart || bytes.at(-1) !== brace)
    return undefined
  const digest = bodyHash(bytes)
  const end = bytes[bodyStart + endValue] === endMark.charCodeAt(endValue)
  // One comparison of all that stands before the event: to take many small texts out of the bytes takes longer than to hash them.
  const head = `{"hash":"${digest}",${openBody({ end, sequence, previous })}`
  if (bytes.toString('latin1', 0, head.length) !== head) return undefined
  const next = { sequence: sequence + 1, previous: digest, realPrevious: digest }
  // What the row before calls its hash may be any text; what its hash is, is not.
  return previous === realPrevious ? { digest, eventStart: head.length, next } : { digest, next }
}

function checkAnyRow(bytes: Buffer, place: RowPlace): CheckedRow {
  const unreadable = {
    problem: 'the row is not of the form of this log',
    next: { sequence: place.sequence + 1 },
  }
  if (!hasRowShape(bytes)) return unreadable
  const placeStart = bodyStart + endMark.length + (isBatchEnd(bytes) ? 0 : 1)
  const found = placePattern.exec(bytes.toString('latin1', placeStart, placeStart + 120))
  if (found === null) return unreadable
  const previous = rowHash(bytes)
  const realPrevious = bodyHash(bytes)
  const next = { sequence: Number(found[1]) + 1, previous, realPrevious }
  if (realPrevious !== previous)
    return { problem: 'the row was changed: its hash does not match its content', next }
  const follows =
    Number(found[1]) === place.sequence &&
    (place.previous === undefined || found[2] === place.previous || found[2] === place.realPrevious)
  if (follows) return { digest: previous, next }
  return {
    problem: 'the row does not follow the one before: a row was removed, added or moved',
    next,
  }
}

/**
 * Whether bytes are how the log of a namespace begins, or the beginning of that: what a crash in the very first write leaves.
 * Zeros stand for pages that never reached the disk.
 */
export function beginsLog(bytes: Buffer, genesis: string): boolean {
  const head = bytes.subarray(0, 4_096)
  const end = head.indexOf(0)
  if (end === 0) return head.every((byte) => byte === 0)
  const begin = head.toString('latin1', 0, end === -1 ? head.length : end)
  return ['true', 'false'].some((isEnd) => {
    const rest = `","end":${isEnd},"sequence":1,"previous":"${genesis}","event":{`
    return (
      agree(begin.slice(0, hashStart), '{"hash":"') &&
      /^[0-9a-f]*$/.test(begin.slice(hashStart, hashEnd)) &&
      agree(begin.slice(hashEnd), rest)
    )
  })
}

/** Whether one of two texts begins with the other. */
function agree(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left)
}

/** SHA-256 over all of a row that stands behind its own hash. */
export function bodyHash(bytes: Buffer): string {
  return hash('sha256', bytes.subarray(bodyStart), 'hex')
}

/** The hash that a row bears. */
export function rowHash(bytes: Buffer): string {
  return bytes.toString('latin1', hashStart, hashEnd)
}

/** Tells whether a row is the last one of its batch. */
export function isBatchEnd(bytes: Buffer): boolean {
  return bytes.toString('latin1', bodyStart, bodyStart + endMark.length) === endMark
}

/** Tells whether bytes begin and end as a row does. */
export function hasRowShape(bytes: Buffer): boolean {
  return (
    bytes.length > bodyStart &&
    bytes.toString('latin1', 0, hashStart) === openText &&
    bytes[hashEnd] === quote &&
    bytes[hashEnd + 1] === comma &&
    bytes[bytes.length - 1] === brace
  )
}

/**
 * The event in a row as it stands there, whatever it is; `undefined` when the row is not JSON. With `eventStart` from
 * {@link checkRow} it is the same, sooner.
 */
export function decodeRow(bytes: Buffer, eventStart?: number): unknown {
  if (eventStart !== undefined)
    try {
      // Where all between there and the last brace is JSON, so is the row, and nothing else stands behind its event.
      return JSON.parse(bytes.toString('utf8', eventStart, bytes.length - 1))
    } catch {
      // Something else does, or it is none.
    }
  try {
    const row: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof row === 'object' && row !== null ? (row as { event?: unknown }).event : undefined
  } catch {
    return undefined
  }
}
