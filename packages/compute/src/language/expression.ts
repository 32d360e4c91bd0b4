import type { FunctionName, MacroName } from './functions.ts'

/** Operators of a chain such as `a - b + c`. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%'

/** Operators that give true or false. */
export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in'

/** One operator and its right side within a chain such as `a - b + c`. `offset` is the operator's. */
interface ArithmeticLink {
  readonly operator: ArithmeticOperator
  readonly operand: Expression
  readonly offset: number
}

/** A number as it is written; `text` keeps the digits for exact decimals. */
export interface NumberLiteral {
  readonly kind: 'number'
  readonly value: number
  readonly text: string
  readonly offset: number
}

/** `[a, b]` */
interface ArrayExpression {
  readonly kind: 'array'
  readonly items: readonly Expression[]
  readonly offset: number
}

/** `object.key`, also written `object["key"]`; `has(object.key)` is the same with kind `has`. */
interface FieldExpression {
  readonly kind: 'field' | 'has'
  readonly object: Expression
  readonly key: string
  readonly offset: number
}

/** `array[0]`, `object[name]` */
export interface IndexExpression {
  readonly kind: 'index'
  readonly object: Expression
  readonly key: Expression
  readonly offset: number
}

/** Operators of one level in a chain, from left to right. Kept flat, so that a long sum needs no deep recursion. */
export interface ArithmeticExpression {
  readonly kind: 'arithmetic'
  readonly first: Expression
  readonly rest: ArithmeticLink[]
  readonly offset: number
}

/** `a && b && c` or `a || b || c`, flat as well. */
interface LogicExpression {
  readonly kind: 'logic'
  readonly operator: '&&' | '||'
  readonly operands: Expression[]
  readonly offset: number
}

/** `a < b`, `a in b` */
export interface ComparisonExpression {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: Expression
  readonly right: Expression
  readonly offset: number
}

/** `test ? then : else`. `offset` is that of the question mark. */
interface ConditionalExpression {
  readonly kind: 'conditional'
  readonly test: Expression
  readonly then: Expression
  readonly else: Expression
  readonly offset: number
}

/** `f(x, y)` and `x.f(y)` alike. `offset` is that of the name. */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: FunctionName
  readonly arguments: readonly Expression[]
  readonly offset: number
}

/** `map(list, item, body)` and its kind. `slot` is that of the item; `condition` stands only in a map with a filter. */
export interface MacroExpression {
  readonly kind: 'macro'
  readonly name: MacroName
  readonly list: Expression
  readonly slot: number
  readonly condition: Expression | undefined
  readonly body: Expression
  readonly offset: number
}

/** A parsed expression. `offset` is where it starts in its text, for an operator where the operator stands. */
export type Expression =
  | NumberLiteral
  | { readonly kind: 'string'; readonly value: string; readonly offset: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly offset: number }
  | { readonly kind: 'null'; readonly offset: number }
  | { readonly kind: 'variable'; readonly slot: number; readonly offset: number }
  | { readonly kind: 'negate' | 'not'; readonly operand: Expression; readonly offset: number }
  | ArrayExpression
  | FieldExpression
  | IndexExpression
  | ArithmeticExpression
  | ComparisonExpression
  | LogicExpression
  | ConditionalExpression
  | CallExpression
  | MacroExpression

/** The expressions an expression is made of, in reading order. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'negate':
    case 'not':
      return [expression.operand]
    case 'array':
      return expression.items
    case 'field':
    case 'has':
      return [expression.object]
    case 'index':
      return [expression.object, expression.key]
    case 'arithmetic':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)]
    case 'comparison':
      return [expression.left, expression.right]
    case 'logic':
      return expression.operands
    case 'conditional':
      return [expression.test, expression.then, expression.else]
    case 'call':
      return expression.arguments
    case 'macro': {
      const { list, condition, body } = expression
      return condition === undefined ? [list, body] : [list, condition, body]
    }
    default:
      return []
  }
}

/**
 * How many nodes an expression has: one for each literal, variable and operation. Run units count with it. Operators
 * of a chain count one by one.
 */
export function expressionSize(expression: Expression): number {
  let size = 'rest' in expression ? expression.rest.length : 1
  for (const part of partsOf(expression)) size += expressionSize(part)
  return size
}
