import { anyType, valueTypes } from '../language/value-type.ts'

/** What a program says about one argument, or about a part of one. */
export interface InputHint {
  /** The JSON types that it may have; empty where it may have any. */
  readonly types: readonly string[]
  /** Whether it is used as a date. */
  readonly isDate: boolean
  /** Numbers it is compared with. */
  readonly numbers: ReadonlySet<number>
  /** Strings it is compared with. */
  readonly strings: ReadonlySet<string>
  /** The fields that are read; for an array the indexes, in digits. */
  readonly entries: ReadonlyMap<string, InputHint>
  /** Any item of an array, any field of an object. */
  readonly any: InputHint | undefined
}

/** A hint that is being put together. */
export class HintNode implements InputHint {
  isDate = false
  readonly numbers: Set<number> = new Set()
  readonly strings: Set<string> = new Set()
  readonly entries: Map<string, HintNode> = new Map()
  any: HintNode | undefined
  #mask = anyType

  constructor(any?: HintNode) {
    this.any = any
  }

  get types(): readonly string[] {
    if (this.#mask === anyType) return []
    return Object.entries(valueTypes).flatMap(([name, bit]) => (this.#mask & bit ? [name] : []))
  }

  /** Keeps only these types, unless none were left. */
  want(mask: number): this {
    this.#mask = this.#mask & mask || this.#mask
    return this
  }

  /** One field or item. */
  entry(key: string): HintNode {
    const known = this.entries.get(key)
    if (known !== undefined) return known
    const node = new HintNode()
    this.entries.set(key, node)
    return node
  }

  /** Any item. */
  anyEntry(): HintNode {
    return (this.any ??= new HintNode())
  }
}
