/**
 * One declared value of a flat program. The path is `inputs.NAME` or `output`; behind it `.field` (or `["any name"]`)
 * stands for a field of an object and `[]` for the items of an array: `inputs.order.lines[].price`.
 */
export interface FlatDeclaration {
  readonly path: string
  readonly type: string
  /** Empty for none. */
  readonly description: string
  readonly min: number | null
  readonly max: number | null
  /** An array as JSON text, such as `["de","fr"]`; empty for none. */
  readonly enum: string
  /** `date`, or empty. */
  readonly format: string
  readonly maxLength: number | null
  readonly maxItems: number | null
  /** JSON text; empty for none. */
  readonly default: string
}

/** A constant of a flat program. */
export interface FlatTable {
  readonly name: string
  /** An object or an array as JSON text. */
  readonly json: string
}

/** What every step of a flat program has. */
interface FlatStepBase {
  /** Such as `s1`; no two steps share one. */
  readonly id: string
  /**
   * The list of steps it belongs to: empty for the program itself, otherwise that of an earlier step: `s1.then`,
   * `s1.else`, `s1.cases[0]`.
   */
  readonly in: string
}

/** One step of a flat program. Its fields are those of the language, none left out: empty means that it has none. */
export type FlatStep = FlatStepBase &
  (
    | { readonly op: 'math'; readonly expression: string; readonly output: string }
    | { readonly op: 'set'; readonly value: string; readonly output: string }
    | {
        readonly op: 'lookup'
        readonly table: string
        /** Counts where `keyFrom` is empty. */
        readonly key: string
        readonly keyFrom: string
        /** JSON text; empty for none. */
        readonly default: string
        readonly output: string
      }
    | { readonly op: 'format'; readonly template: string; readonly output: string }
    | { readonly op: 'condition'; readonly if: string }
    | { readonly op: 'switch'; readonly cases: readonly { readonly when: string }[] }
    | {
        readonly op: 'fold'
        readonly list: string
        readonly as: string
        readonly acc: string
        readonly init: string
        readonly value: string
        readonly output: string
      }
    | {
        readonly op: 'sort'
        readonly list: string
        readonly as: string
        readonly by: string
        readonly desc: boolean
        readonly output: string
      }
    | { readonly op: 'check'; readonly that: string; readonly message: string }
    | {
        readonly op: 'return'
        readonly value: string
        /** Empty where `value` is returned. */
        readonly fields: readonly { readonly name: string; readonly value: string }[]
      }
  )

/**
 * A program without nesting, without optional fields and without objects whose keys are data, for models that write
 * under a strict schema. Steps stand in reading order; each names the list it belongs to.
 */
export interface FlatCompute {
  /** Empty for none. */
  readonly description: string
  readonly numbers: 'float' | 'decimal'
  readonly rounding: 'half_up' | 'half_even'
  /** Empty where the program declares neither arguments nor output. */
  readonly declarations: readonly FlatDeclaration[]
  readonly tables: readonly FlatTable[]
  readonly steps: readonly FlatStep[]
}
