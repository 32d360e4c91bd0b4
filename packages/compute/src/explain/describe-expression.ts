import type { ComparisonOperator, Expression } from '../language/expression.ts'
import type { SitedExpression } from '../language/program.ts'
import { showCode, showQuoted } from './show-text.ts'

const longestWords = 120
const mostOperands = 4

const comparisons: Readonly<Record<ComparisonOperator, string>> = {
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
  '==': 'equals',
  '!=': 'does not equal',
  in: 'is in',
}

/** Words of the sentences themselves. A variable of such a name could make a sentence say something else. */
const ownWords: ReadonlySet<string> = new Set(
  'and at does equal equals greater if is less not of or otherwise than the then to unless'.split(
    ' ',
  ),
)

const hasNameForm = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key)

/** Says expressions in words where those are short and can only be read one way. */
export class ExpressionDescriber {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** A value: a literal or a path as it is, anything else as code. */
  value({ site, expression }: SitedExpression): string {
    return bounded(this.#operand(expression)) ?? showCode(site.text)
  }

  /** A condition. */
  test({ site, expression }: SitedExpression, truthy = false): string {
    if (truthy) {
      const name = this.#operand(expression) ?? showCode(site.text)
      return `${name} is set (neither false, 0, "" nor null)`
    }
    return bounded(this.#condition(expression)) ?? showCode(site.text)
  }

  #condition(expression: Expression): string | undefined {
    if (expression.kind !== 'logic') return this.#claim(expression)
    const { operands, operator } = expression
    if (operands.length > mostOperands) return undefined
    const claims = operands.map((operand) => this.#claim(operand))
    return claims.includes(undefined)
      ? undefined
      : claims.join(operator === '&&' ? ' and ' : ' or ')
  }

  #claim(expression: Expression): string | undefined {
    if (expression.kind === 'comparison') {
      const left = this.#operand(expression.left)
      const right = this.#operand(expression.right)
      const is = comparisons[expression.operator]
      return left === undefined || right === undefined ? undefined : `${left} ${is} ${right}`
    }
    const isNegated = expression.kind === 'not'
    const path = this.#path(isNegated ? expression.operand : expression)
    return path === undefined ? undefined : `${path} is ${isNegated ? 'false' : 'true'}`
  }

  #operand(expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'number':
        return expression.text
      case 'string':
        return showQuoted(expression.value)
      case 'boolean':
        return String(expression.value)
      case 'null':
        return 'null'
      case 'array': {
        const items = expression.items.map((item) => this.#operand(item))
        return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
      }
      default:
        return this.#path(expression)
    }
  }

  #path(expression: Expression): string | undefined {
    if (expression.kind === 'variable') {
      const name = this.#names[expression.slot] ?? ''
      return ownWords.has(name) ? undefined : name
    }
    if (expression.kind !== 'field' && expression.kind !== 'index') return undefined
    const holder = this.#path(expression.object)
    if (holder === undefined) return undefined
    if (expression.kind === 'index') {
      const key = this.#operand(expression.key)
      return key === undefined ? undefined : `${holder}[${key}]`
    }
    const { key } = expression
    return hasNameForm(key) ? `${holder}.${key}` : `${holder}[${showQuoted(key)}]`
  }
}

const bounded = (words: string | undefined): string | undefined =>
  words !== undefined && words.length > longestWords ? undefined : words
