/** Works out a number: `+ - * / %`, parentheses, unary minus, numbers and variable names. */
export interface MathStep {
  readonly op: 'math'
  /** For example `weight_kg * 2.50 + 5.00`. */
  readonly expression: string
  /** Name of the variable that receives the number. */
  readonly output: string
}

/** Takes one field of an object, or one item of a list, that is held by a variable. */
export interface LookupStep {
  readonly op: 'lookup'
  /** Name of the variable that holds the table. */
  readonly table: string
  /** The key itself, not the name of a variable. For a list: the index in digits. */
  readonly key: string
  /** Name of the variable that receives the value. */
  readonly output: string
}

/** Fills `{{name}}` placeholders, once. */
export interface FormatStep {
  readonly op: 'format'
  /** For example `Shipping cost: ${{base_cost}}`. */
  readonly template: string
  /** Name of the variable that receives the text. */
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

/** Ends the program with the value of a variable. */
export interface ReturnStep {
  readonly op: 'return'
  /** Name of the variable. */
  readonly value: string
}

/** One step of a program. */
export type ComputeStep = MathStep | LookupStep | FormatStep | ConditionStep | ReturnStep

/** A program: plain JSON that a person or a model wrote. */
export interface ComputeLogic {
  readonly steps: readonly ComputeStep[]
}
