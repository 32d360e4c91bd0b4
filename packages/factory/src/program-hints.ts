import type { ComputeLogic, ComputeStep } from '@toolcrib/compute'

/** The keys that a program looks up in a table; a table found inside a table has keys of its own. */
export interface TableHint {
  readonly keys: Map<string, TableHint>
}

/** What a program says about inputs that are worth trying. */
export interface ProgramHints {
  /** Numbers that conditions compare with, so that both branches are tried. */
  readonly numbers: readonly number[]
  /** Texts that conditions compare with. */
  readonly texts: readonly string[]
  /** By variable name: the keys that are looked up in it. */
  readonly tables: ReadonlyMap<string, TableHint>
}

/** For inputs of which nothing is known. */
export const noHints: ProgramHints = { numbers: [], texts: [], tables: new Map() }

const numberLiteral = /(?<![\w.])\d+(?:\.\d+)?/g
const textLiteral = /"([^"\\]*)"|'([^'\\]*)'/g

class HintReader {
  readonly numbers = new Set<number>()
  readonly texts = new Set<string>()
  readonly tables = new Map<string, TableHint>()

  read(steps: readonly ComputeStep[]): void {
    for (const step of steps) {
      if (step.op === 'lookup') this.#lookup(step)
      if (step.op !== 'condition') continue
      this.#test(step.if)
      this.read(step.then)
      this.read(step.else ?? [])
    }
  }

  #lookup({ table, key, output }: ComputeStep & { readonly op: 'lookup' }): void {
    const entry = this.#tableOf(table)
    const inner = entry.keys.get(key) ?? { keys: new Map() }
    entry.keys.set(key, inner)
    // Whatever is looked up in the output later, is looked up in this entry.
    if (!this.tables.has(output)) this.tables.set(output, inner)
  }

  #tableOf(name: string): TableHint {
    const known = this.tables.get(name)
    if (known !== undefined) return known
    const table: TableHint = { keys: new Map() }
    this.tables.set(name, table)
    return table
  }

  #test(text: string): void {
    for (const [, double, single] of text.matchAll(textLiteral)) {
      const found = double ?? single
      if (found !== undefined) this.texts.add(found)
    }
    for (const [literal] of text.replaceAll(textLiteral, '').matchAll(numberLiteral))
      this.numbers.add(Number(literal))
  }
}

/** Reads from a checked program what inputs are worth trying. They are suggestions, never trusted to fit a schema. */
export function readHints(logic: ComputeLogic): ProgramHints {
  const reader = new HintReader()
  reader.read(logic.steps)
  return { numbers: [...reader.numbers], texts: [...reader.texts], tables: reader.tables }
}
