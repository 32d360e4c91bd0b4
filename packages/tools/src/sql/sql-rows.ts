import { findValueReader, type ValueReader } from './sql-values.ts'

/** One row of a result; its values are JSON. */
export type SqlRow = Readonly<Record<string, unknown>>

/** What {@link SqlRows} keeps at most. */
export interface SqlRowLimits {
  readonly maxRows: number
  readonly maxBytes: number
}

interface Column {
  readonly name: string
  readonly read: ValueReader
}

/** A byte of text is at most this many of JSON: `\u0001`. */
const worstByte = 6
/** Room for quotes, colon, comma, `null` and `false`. */
const worstField = 8

/** Collects the rows of a result as JSON until a limit is reached. */
export class SqlRows {
  readonly rows: SqlRow[] = []
  /** Rows were left out. */
  truncated = false
  readonly #limits: SqlRowLimits
  #columns: readonly Column[] = []
  #worstRow = 0
  #worstBytes = 2
  #bytes: number | undefined

  constructor(limits: SqlRowLimits) {
    this.#limits = limits
  }

  /** Takes the body of the message that describes the columns. */
  describe(body: Buffer): void {
    const names = new Map<string, number>()
    const columns: Column[] = []
    let position = 2
    for (let left = body.readUInt16BE(0); left > 0; left -= 1) {
      const end = body.indexOf(0, position)
      const name = body.toString('utf8', position, end)
      columns.push({
        name: uniqueName(name, names),
        read: findValueReader(body.readUInt32BE(end + 7)),
      })
      position = end + 19
    }
    this.#columns = columns
    this.#worstRow = columns.reduce(
      (sum, { name }) => sum + Buffer.byteLength(name) * worstByte + worstField,
      3,
    )
  }

  /** Takes the body of a message with a row. After the limits it only notes that something was left out. */
  add(body: Buffer): void {
    if (this.truncated || this.rows.length >= this.#limits.maxRows) {
      this.truncated = true
      return
    }
    const row = this.#readRow(body)
    this.#worstBytes += this.#worstRow + body.length * worstByte
    if (this.#worstBytes > this.#limits.maxBytes && !this.#fits(row)) this.truncated = true
    else this.rows.push(row)
  }

  /** Notes that rows were left out. */
  cut(): void {
    this.truncated = true
  }

  /** Counting exactly means writing the JSON, so it begins only when the estimate no longer suffices. */
  #fits(row: SqlRow): boolean {
    this.#bytes ??= this.rows.reduce((sum, earlier) => sum + jsonBytes(earlier), 2)
    this.#bytes += jsonBytes(row)
    return this.#bytes <= this.#limits.maxBytes
  }

  #readRow(body: Buffer): SqlRow {
    const entries: [string, unknown][] = []
    let position = 2
    for (const { name, read } of this.#columns) {
      const length = body.readInt32BE(position)
      position += 4
      if (length < 0) entries.push([name, null])
      else {
        entries.push([name, read(body.toString('utf8', position, position + length))])
        position += length
      }
    }
    // Unlike an assignment, this makes a plain property of `__proto__`, too.
    return Object.fromEntries(entries)
  }
}

function jsonBytes(row: SqlRow): number {
  return Buffer.byteLength(JSON.stringify(row)) + 1
}

/** A second column `a` becomes `a_2`, so that it does not swallow the first. */
function uniqueName(name: string, taken: Map<string, number>): string {
  let unique = name
  let number = taken.get(name) ?? 1
  while (taken.has(unique)) {
    number += 1
    unique = `${name}_${number}`
  }
  // The next of this name goes on counting here; beginning anew would take a second for some thousand columns.
  taken.set(name, number).set(unique, taken.get(unique) ?? 1)
  return unique
}
