/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** What a value must be. */
export interface ValueDeclaration {
  readonly type: 'number' | 'integer' | 'string' | 'boolean' | 'array' | 'object' | 'any'
  /** For people and models; nothing depends on it. */
  readonly description?: string
  /** Smallest number. */
  readonly min?: number
  /** Largest number. */
  readonly max?: number
  /** The only values allowed. */
  readonly enum?: readonly (string | number | boolean | null)[]
  /** `date`: a string such as `2026-02-28`. */
  readonly format?: 'date'
  /** Most UTF-16 units of a string. */
  readonly maxLength?: number
  /** Most items of an array. */
  readonly maxItems?: number
  /** What each item of an array must be. */
  readonly items?: ValueDeclaration
  /** What fields of an object must be there. Others are allowed. */
  readonly fields?: Readonly<Record<string, ValueDeclaration>>
}

/** An argument of a program. Without `default` a caller must pass it. */
export interface InputDeclaration extends ValueDeclaration {
  /** Used when the argument is not passed. `null` allows null as a value, too. */
  readonly default?: JsonValue
}

/** Works out a number. */
export interface MathStep {
  readonly op: 'math'
  /** For example `weight_kg * 2.50 + 5.00`. */
  readonly expression: string
  /** Name of the variable that receives the number. */
  readonly output: string
}

/** Works out any value. */
export interface SetStep {
  readonly op: 'set'
  /** An expression, for example `items.map(i, i.price)`. */
  readonly value: string
  readonly output: string
}

/** Takes one field of an object, or one item of an array, that a variable or a table holds. Has `key` or `keyFrom`. */
export interface LookupStep {
  readonly op: 'lookup'
  /** Name of the variable or the table. */
  readonly table: string
  /** The key itself, not the name of a variable. For an array: the index in digits. */
  readonly key?: string
  /** An expression that gives the key. */
  readonly keyFrom?: string
  /** The value when there is no such key; without it that is an error. A value, not an expression. */
  readonly default?: JsonValue
  readonly output: string
}

/** Fills placeholders, once. */
export interface FormatStep {
  readonly op: 'format'
  /** For example `Shipping cost: {{base_cost | money}}`. */
  readonly template: string
  readonly output: string
}

/** Runs `then` or `else`. */
export interface ConditionStep {
  readonly op: 'condition'
  /** A boolean expression, or one bare variable name, which is tested for being neither false, 0, empty text nor null. */
  readonly if: string
  readonly then: readonly ComputeStep[]
  readonly else?: readonly ComputeStep[]
}

/** Runs the steps of the first case that is true, otherwise `else`. */
export interface SwitchStep {
  readonly op: 'switch'
  readonly cases: readonly {
    /** A boolean expression. */
    readonly when: string
    readonly then: readonly ComputeStep[]
  }[]
  readonly else?: readonly ComputeStep[]
}

/** Goes through an array and carries a value along. */
export interface FoldStep {
  readonly op: 'fold'
  /** An expression that gives the array. */
  readonly list: string
  /** Name of the item inside `value`. */
  readonly as: string
  /** Name of the carried value inside `value`. */
  readonly acc: string
  /** An expression: the first carried value. */
  readonly init: string
  /** An expression: the next carried value. */
  readonly value: string
  readonly output: string
}

/** Puts an array in order. Items that are equal keep their order. */
export interface SortStep {
  readonly op: 'sort'
  /** An expression that gives the array. */
  readonly list: string
  /** Name of the item inside `by`. */
  readonly as?: string
  /** An expression that gives a number or a string for each item; without it the items themselves are compared. */
  readonly by?: string
  /** Largest first. */
  readonly desc?: boolean
  readonly output: string
}

/** Ends the program with an error unless a condition holds. */
export interface CheckStep {
  readonly op: 'check'
  /** A boolean expression. */
  readonly that: string
  /** A template: what the caller is told. */
  readonly message: string
}

/** Ends the program with a value, or with an object of several. Has `value` or `fields`. */
export interface ReturnStep {
  readonly op: 'return'
  /** An expression, often just the name of a variable. */
  readonly value?: string
  /** Expressions by field name. */
  readonly fields?: Readonly<Record<string, string>>
}

/** One step of a program. */
export type ComputeStep =
  | MathStep
  | SetStep
  | LookupStep
  | FormatStep
  | ConditionStep
  | SwitchStep
  | FoldStep
  | SortStep
  | CheckStep
  | ReturnStep

/** A program: plain JSON that a person or a model wrote. */
export interface ComputeLogic {
  readonly description?: string
  /** The arguments by name. Without it every name that is read before it is assigned is an argument. */
  readonly inputs?: Readonly<Record<string, InputDeclaration>>
  /** What the program gives. */
  readonly output?: ValueDeclaration
  /** Constants by name. */
  readonly tables?: Readonly<
    Record<string, readonly JsonValue[] | { readonly [key: string]: JsonValue }>
  >
  /** `decimal` calculates exactly, as money needs. @default "float" */
  readonly numbers?: 'float' | 'decimal'
  /** How ties are rounded. @default "half_up", away from zero */
  readonly rounding?: 'half_up' | 'half_even'
  readonly steps: readonly ComputeStep[]
}
