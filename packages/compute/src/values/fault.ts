/** The kinds of problem a library function can meet; each is also a code of a compute error. */
export type FaultCode =
  | 'type'
  | 'bad_value'
  | 'unknown_key'
  | 'division_by_zero'
  | 'overflow'
  | 'precision'
  | 'limit'

/**
 * What a library function throws. It knows nothing of the program; who called the function adds the
 * place. Not an `Error`: a fault never leaves the package, and a stack would cost more than the call.
 */
export class Fault {
  /** The kind of problem. */
  readonly code: FaultCode
  /** What is wrong, naming the rule. */
  readonly message: string
  /** What to do next. */
  readonly hint: string

  constructor(code: FaultCode, message: string, hint: string) {
    this.code = code
    this.message = message
    this.hint = hint
  }
}
