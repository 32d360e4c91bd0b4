/** Operators on two numbers. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%'

/** Operators that give true or false. */
export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!='

/** One operator and its right side within a chain such as `a - b + c`. */
interface ArithmeticLink {
  readonly operator: ArithmeticOperator
  readonly operand: Expression
  readonly offset: number
}

/** Chains are kept flat, so that a long sum needs no deep recursion. */
export interface ArithmeticExpression {
  readonly kind: 'arithmetic'
  readonly first: Expression
  readonly rest: ArithmeticLink[]
  readonly offset: number
}

/** `a && b && c` or `a || b || c`, flat as well. */
export interface LogicExpression {
  readonly kind: 'logic'
  readonly operator: '&&' | '||'
  readonly operands: Expression[]
  readonly offset: number
}

/** `a < b` */
export interface ComparisonExpression {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: Expression
  readonly right: Expression
  readonly offset: number
}

/** A parsed expression. `offset` is where it starts in its text, for an operator where the operator stands. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly offset: number }
  | { readonly kind: 'text'; readonly value: string; readonly offset: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly offset: number }
  | { readonly kind: 'variable'; readonly slot: number; readonly offset: number }
  | { readonly kind: 'negate'; readonly operand: Expression; readonly offset: number }
  | { readonly kind: 'not'; readonly operand: Expression; readonly offset: number }
  | ArithmeticExpression
  | ComparisonExpression
  | LogicExpression

/** What an expression gives; `any` where only the run can tell. */
export type ExpressionType = 'number' | 'text' | 'boolean' | 'any'

const types: Readonly<Record<Expression['kind'], ExpressionType>> = {
  number: 'number',
  negate: 'number',
  arithmetic: 'number',
  text: 'text',
  boolean: 'boolean',
  not: 'boolean',
  comparison: 'boolean',
  logic: 'boolean',
  variable: 'any',
}

/** What an expression gives. */
export function typeOfExpression({ kind }: Expression): ExpressionType {
  return types[kind]
}

/** Calls `visit` for every variable, in reading order. */
export function visitVariables(
  expression: Expression,
  visit: (slot: number, offset: number) => void,
): void {
  switch (expression.kind) {
    case 'variable':
      visit(expression.slot, expression.offset)
      break
    case 'negate':
    case 'not':
      visitVariables(expression.operand, visit)
      break
    case 'arithmetic':
      visitVariables(expression.first, visit)
      for (const link of expression.rest) visitVariables(link.operand, visit)
      break
    case 'comparison':
      visitVariables(expression.left, visit)
      visitVariables(expression.right, visit)
      break
    case 'logic':
      for (const operand of expression.operands) visitVariables(operand, visit)
      break
    case 'number':
    case 'text':
    case 'boolean':
      break
  }
}
