import type { SourcePlace, SourceRule } from './source-problem.ts'

/** Why a source cannot be read at all. Line and column count from 1. */
export class SourceSyntaxError extends Error {
  override readonly name = 'SourceSyntaxError'
  readonly rule: Extract<SourceRule, 'syntax' | 'syntax.not-erasable' | 'size'>
  readonly line: number
  readonly column: number

  constructor(
    message: string,
    { rule, line = 1, column = 1 }: Pick<SourceSyntaxError, 'rule'> & Partial<SourcePlace>,
  ) {
    super(message)
    this.rule = rule
    this.line = line
    this.column = column
  }
}
