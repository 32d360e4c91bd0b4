import { hash } from 'node:crypto'
import { bodyHash, hasRowShape, rowHash } from './audit-line.ts'

/** What checking a row gave: its digest, or what is wrong with it and the bytes in which that was seen. */
export type RowFinding =
  | { readonly digest: string }
  | { readonly problem: string; readonly bytes: Buffer }

interface FaultyRow {
  readonly problem: string
  readonly rowHash: string
}

const digestBytes = 32
const firstCapacity = 1_024

/**
 * Where each row of a log lies, and what its bytes hashed to when they were checked: 40 bytes a row. The rows themselves stay on
 * the disk, and whoever reads one again can tell whether it is still the one that was checked.
 */
export class RowIndex {
  #count = 0
  #checked = 0
  #ends = new Float64Array(firstCapacity)
  #digests = Buffer.alloc(firstCapacity * digestBytes)
  readonly #faulty = new Map<number, FaultyRow>()

  /** How many rows there are; the sequence of the last one. */
  get count(): number {
    return this.#count
  }

  /** Up to which row all were checked. */
  get checked(): number {
    return this.#checked
  }

  /** Where the last row ends. */
  get end(): number {
    return this.endOf(this.#count)
  }

  /** Where the row before this one ends. */
  startOf(sequence: number): number {
    return this.endOf(sequence - 1)
  }

  endOf(sequence: number): number {
    return sequence < 1 ? 0 : (this.#ends[sequence - 1] ?? 0)
  }

  /** What was wrong with a row when it was checked. */
  problemOf(sequence: number): string | undefined {
    return this.#faulty.get(sequence)?.problem
  }

  /** The first row that is wrong in itself, with the reason. */
  get firstProblem(): readonly [sequence: number, problem: string] | undefined {
    let first: number | undefined
    for (const sequence of this.#faulty.keys())
      if (first === undefined || sequence < first) first = sequence
    return first === undefined ? undefined : [first, this.problemOf(first) ?? '']
  }

  /** The hash of a row as it was when it was checked, of a faulty one over all its bytes; `undefined` where there is no such row. */
  hashOf(sequence: number): string | undefined {
    if (sequence < 1 || sequence > this.#checked) return undefined
    // What a faulty row calls its hash is only a claim.
    return this.#digestOf(sequence)
  }

  /** Adds the next row, by where it ends, its line break included. */
  push(end: number): void {
    if (this.#count === this.#ends.length) this.#grow()
    this.#ends[this.#count] = end
    this.#count += 1
  }

  /** Notes what checking the first row that was not checked gave. */
  note(finding: RowFinding): void {
    const isRight = 'digest' in finding
    // Of a faulty row nothing is taken for granted, so all its bytes count.
    const digest = isRight ? finding.digest : hash('sha256', finding.bytes, 'hex')
    this.#digests.write(digest, this.#checked * digestBytes, 'hex')
    this.#checked += 1
    if (isRight) return
    const { bytes, problem } = finding
    this.#faulty.set(this.#checked, { problem, rowHash: rowHash(bytes) })
  }

  /** Forgets the rows behind a number of rows. */
  truncate(count: number): void {
    this.#count = count
    this.#checked = Math.min(this.#checked, count)
    for (const sequence of this.#faulty.keys()) if (sequence > count) this.#faulty.delete(sequence)
  }

  /** Whether the bytes of a row, without its line break, are those that were checked. */
  isSame(sequence: number, bytes: Buffer): boolean {
    const checked = this.#digestOf(sequence)
    if (this.#faulty.has(sequence)) return hash('sha256', bytes, 'hex') === checked
    return hasRowShape(bytes) && rowHash(bytes) === checked && bodyHash(bytes) === checked
  }

  #digestOf(sequence: number): string {
    const start = (sequence - 1) * digestBytes
    return this.#digests.toString('hex', start, start + digestBytes)
  }

  #grow(): void {
    const ends = new Float64Array(this.#ends.length * 2)
    ends.set(this.#ends)
    this.#ends = ends
    this.#digests = Buffer.concat([this.#digests], this.#digests.length * 2)
  }
}
