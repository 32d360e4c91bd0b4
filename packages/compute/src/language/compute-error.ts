/** Every code a {@link ComputeIssue} can carry. */
export const computeErrorCodes = [
  'bad_program',
  'unknown_op',
  'no_return',
  'bad_name',
  'reserved_name',
  'duplicate_name',
  'unknown_variable',
  'unknown_function',
  'wrong_arguments',
  'unknown_key',
  'bad_token',
  'bad_template',
  'type',
  'bad_argument',
  'bad_value',
  'bad_output',
  'check_failed',
  'division_by_zero',
  'overflow',
  'precision',
  'limit',
  'unused_output',
  'unused_input',
  'constant_condition',
  'unreachable_step',
] as const

/** What kind of problem it is. The README lists what each code means and what to do about it. */
export type ComputeErrorCode = (typeof computeErrorCodes)[number]

/** One problem of a program, of its arguments or of a run. Plain data: it survives `JSON.stringify`. */
export interface ComputeIssue {
  /** The kind of problem. */
  readonly code: ComputeErrorCode
  /** An error refuses the program; a warning does not. */
  readonly severity: 'error' | 'warning'
  /** Where it is: `steps[1].then[0].expression`, `args.weight_kg`, `options.limits.maxSteps`; empty for the program as a whole. */
  readonly path: string
  /** What is wrong, naming the rule and the value. */
  readonly message: string
  /** What to do next. */
  readonly hint: string
  /** Position in the text at `path`, counted in UTF-16 units from 0. */
  readonly offset?: number
  /** The text around `offset`, at most 42 characters, unprintable characters escaped. */
  readonly snippet?: string
}

const brand = Symbol.for('@toolcrib/compute.ComputeError')

function sentenceOf(issues: readonly [ComputeIssue, ...ComputeIssue[]]): string {
  const [{ path, offset, message, hint }] = issues
  const place = path === '' ? 'program' : path
  const position = offset === undefined ? '' : ` at character ${offset}`
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${place}${position}: ${message}. ${hint}${more}`
}

/**
 * The only error this package throws. It carries every problem that was found; `code`, `path`,
 * `offset`, `snippet` and `hint` are those of the first.
 */
export class ComputeError extends Error {
  override readonly name: string = 'ComputeError'
  /** Code of the first problem. */
  readonly code: ComputeErrorCode
  /** Place of the first problem; see {@link ComputeIssue.path}. */
  readonly path: string
  /** Position of the first problem in its text, where it is in a text. */
  readonly offset: number | undefined
  /** Text around the first problem, where it is in a text. */
  readonly snippet: string | undefined
  /** What to do about the first problem. */
  readonly hint: string
  /** Every problem found, at least one, at most 100. */
  readonly issues: readonly [ComputeIssue, ...ComputeIssue[]]

  /** @param issues - every problem found, the most telling first */
  constructor(issues: readonly [ComputeIssue, ...ComputeIssue[]]) {
    super(sentenceOf(issues))
    const [first] = issues
    this.code = first.code
    this.path = first.path
    this.offset = first.offset
    this.snippet = first.snippet
    this.hint = first.hint
    this.issues = issues
    Object.defineProperty(this, brand, { value: true })
  }

  /**
   * Tells whether a caught value is a ComputeError, also one thrown by another installed copy of this package.
   *
   * @param error - any caught value
   * @param code - also require this code
   */
  static is(error: unknown, code?: ComputeErrorCode): error is ComputeError {
    try {
      if (!(error instanceof Error) || !Object.hasOwn(error, brand)) return false
      const { code: found, path, issues } = error as Partial<ComputeError>
      const isWhole = typeof path === 'string' && Array.isArray(issues) && issues.length > 0
      return isWhole && (code === undefined || found === code)
    } catch {
      // A proxy threw; what a caller's getter throws may be anything.
      return false
    }
  }

  /** Plain data for logs and for models. */
  toJSON(): {
    name: string
    code: ComputeErrorCode
    message: string
    issues: readonly ComputeIssue[]
  } {
    return { name: this.name, code: this.code, message: this.message, issues: this.issues }
  }
}
