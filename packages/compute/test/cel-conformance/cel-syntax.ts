/** The whole of CEL's syntax, so that a case is left out for what it means and not for how it is spelt. */

interface Span {
  readonly start: number
  readonly end: number
}

export type CelNode = Span &
  (
    | { readonly kind: 'int' | 'uint' | 'double' | 'bool' | 'null'; readonly text: string }
    | { readonly kind: 'string'; readonly prefix: string; readonly isTriple: boolean }
    | { readonly kind: 'bytes' }
    | { readonly kind: 'identifier'; readonly name: string; readonly hasLeadingDot: boolean }
    | {
        readonly kind: 'select'
        readonly operand: CelNode
        readonly field: string
        readonly isOptional: boolean
      }
    | {
        readonly kind: 'index'
        readonly operand: CelNode
        readonly index: CelNode
        readonly isOptional: boolean
      }
    | {
        readonly kind: 'call'
        readonly target: CelNode | undefined
        readonly name: string
        readonly nameStart: number
        readonly parameters: readonly CelNode[]
      }
    | { readonly kind: 'list'; readonly items: readonly CelNode[]; readonly hasOptional: boolean }
    | {
        readonly kind: 'map'
        readonly entries: readonly (readonly [CelNode, CelNode])[]
        readonly hasOptional: boolean
      }
    | { readonly kind: 'message'; readonly type: CelNode }
    | { readonly kind: 'unary'; readonly operator: string; readonly operand: CelNode }
    | {
        readonly kind: 'binary'
        readonly operator: string
        readonly left: CelNode
        readonly right: CelNode
      }
    | {
        readonly kind: 'conditional'
        readonly test: CelNode
        readonly yes: CelNode
        readonly no: CelNode
      }
  )

interface Token extends Span {
  readonly kind: 'number' | 'string' | 'name' | 'quoted' | 'operator' | 'end'
  readonly text: string
}

const tokenPatterns: readonly (readonly [Token['kind'] | 'blank', RegExp])[] = [
  ['blank', /(?:[ \t\n\f\r]+|\/\/[^\n]*)+/y],
  [
    'string',
    /(?:[rR][bB]?|[bB][rR]?)?(?:'''[^]*?'''|"""[^]*?"""|'(?:\\[^]|[^'\\\n\r])*'|"(?:\\[^]|[^"\\\n\r])*")/y,
  ],
  [
    'number',
    /0[xX][\da-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+|[uU])?/y,
  ],
  ['name', /[A-Za-z_]\w*/y],
  ['quoted', /`[^`]+`/y],
  ['operator', /&&|\|\||[<>=!]=|[-+*/%<>!?:.,()[\]{}]/y],
]

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < text.length) {
    const match = tokenPatterns
      .map(([kind, pattern]) => {
        pattern.lastIndex = position
        return { kind, found: pattern.exec(text)?.[0] }
      })
      .find(({ found }) => found !== undefined)
    if (match?.found === undefined) throw new SyntaxError(`no CEL token at ${position}`)
    const end = position + match.found.length
    if (match.kind !== 'blank')
      tokens.push({ kind: match.kind, text: match.found, start: position, end })
    position = end
  }
  return [...tokens, { kind: 'end', text: '', start: position, end: position }]
}

const binaryLevels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
]

class CelParser {
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  parseAll(): CelNode {
    const node = this.#conditional()
    if (this.#next.kind !== 'end') throw new SyntaxError(`unexpected ${this.#next.text}`)
    return node
  }

  get #next(): Token {
    const token = this.#tokens[this.#position]
    if (token === undefined) throw new SyntaxError('read past the end')
    return token
  }

  #take(): Token {
    const token = this.#next
    this.#position += 1
    return token
  }

  #accept(text: string): boolean {
    const isHere = this.#next.text === text && ['operator', 'name'].includes(this.#next.kind)
    if (isHere) this.#position += 1
    return isHere
  }

  #expect(text: string): Token {
    const token = this.#next
    if (!this.#accept(text)) throw new SyntaxError(`expected ${text}, found ${token.text}`)
    return token
  }

  #conditional(): CelNode {
    const test = this.#binary(0)
    if (!this.#accept('?')) return test
    const yes = this.#binary(0)
    this.#expect(':')
    const no = this.#conditional()
    return { kind: 'conditional', test, yes, no, start: test.start, end: no.end }
  }

  #binary(level: number): CelNode {
    const operators = binaryLevels[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    while (operators.includes(this.#next.text) && this.#next.kind !== 'string') {
      const operator = this.#take().text
      const right = this.#binary(level + 1)
      left = { kind: 'binary', operator, left, right, start: left.start, end: right.end }
    }
    return left
  }

  #unary(): CelNode {
    const { text, kind, start } = this.#next
    if (kind !== 'operator' || (text !== '!' && text !== '-')) return this.#postfix(this.#primary())
    this.#take()
    const operand = this.#unary()
    return { kind: 'unary', operator: text, operand, start, end: operand.end }
  }

  #postfix(operand: CelNode): CelNode {
    if (this.#accept('.')) return this.#postfix(this.#member(operand))
    if (this.#next.text === '[') {
      this.#take()
      const isOptional = this.#accept('?')
      const index = this.#conditional()
      const { end } = this.#expect(']')
      return this.#postfix({ kind: 'index', operand, index, isOptional, start: operand.start, end })
    }
    const isTypeName = operand.kind === 'identifier' || operand.kind === 'select'
    if (isTypeName && this.#next.text === '{') {
      this.#take()
      const { end } = this.#entries()
      return this.#postfix({ kind: 'message', type: operand, start: operand.start, end })
    }
    return operand
  }

  #member(operand: CelNode): CelNode {
    const isOptional = this.#accept('?')
    const { kind, text, start, end } = this.#take()
    if (kind !== 'name' && kind !== 'quoted') throw new SyntaxError(`no field name: ${text}`)
    if (this.#next.text === '(') return this.#call(operand, { text, start })
    return { kind: 'select', operand, field: text, isOptional, start: operand.start, end }
  }

  #call(target: CelNode | undefined, name: { text: string; start: number }): CelNode {
    this.#expect('(')
    const parameters: CelNode[] = []
    while (this.#next.text !== ')') {
      parameters.push(this.#conditional())
      if (!this.#accept(',')) break
    }
    const { end } = this.#expect(')')
    const start = target?.start ?? name.start
    return { kind: 'call', target, name: name.text, nameStart: name.start, parameters, start, end }
  }

  #entries(): { entries: [CelNode, CelNode][]; hasOptional: boolean; end: number } {
    const entries: [CelNode, CelNode][] = []
    let hasOptional = false
    while (this.#next.text !== '}') {
      hasOptional = this.#accept('?') || hasOptional
      const { start, end, kind, text } = this.#next
      const isQuoted = kind === 'quoted'
      const key: CelNode = isQuoted
        ? { kind: 'identifier', name: text, hasLeadingDot: false, start, end }
        : this.#conditional()
      if (isQuoted) this.#take()
      this.#expect(':')
      entries.push([key, this.#conditional()])
      if (!this.#accept(',')) break
    }
    return { entries, hasOptional, end: this.#expect('}').end }
  }

  #primary(): CelNode {
    const token = this.#take()
    const { start, end, text } = token
    if (token.kind === 'number') return { kind: numberKind(text), text, start, end }
    if (token.kind === 'string') return stringNode(token)
    if (token.kind === 'name') {
      if (text === 'true' || text === 'false') return { kind: 'bool', text, start, end }
      if (text === 'null') return { kind: 'null', text, start, end }
      if (this.#next.text === '(') return this.#call(undefined, { text, start })
      return { kind: 'identifier', name: text, hasLeadingDot: false, start, end }
    }
    if (text === '.') {
      const name = this.#take()
      if (name.kind !== 'name') throw new SyntaxError('no name after a leading dot')
      return { kind: 'identifier', name: name.text, hasLeadingDot: true, start, end: name.end }
    }
    if (text === '(') {
      const inner = this.#conditional()
      return { ...inner, start, end: this.#expect(')').end }
    }
    if (text === '[') return this.#list(start)
    if (text === '{') return { kind: 'map', start, ...this.#entries() }
    throw new SyntaxError(`unexpected ${text === '' ? 'end' : text}`)
  }

  #list(start: number): CelNode {
    const items: CelNode[] = []
    let hasOptional = false
    while (this.#next.text !== ']') {
      hasOptional = this.#accept('?') || hasOptional
      items.push(this.#conditional())
      if (!this.#accept(',')) break
    }
    return { kind: 'list', items, hasOptional, start, end: this.#expect(']').end }
  }
}

function numberKind(text: string): 'int' | 'uint' | 'double' {
  if (/[uU]$/.test(text)) return 'uint'
  return /^0[xX]|^\d+$/.test(text) ? 'int' : 'double'
}

function stringNode({ text, start, end }: Token): CelNode {
  const prefix = /^[a-zA-Z]*/.exec(text)?.[0].toLowerCase() ?? ''
  const quote = text.slice(prefix.length, prefix.length + 3)
  const isTriple = quote === '"""' || quote === "'''"
  return prefix.includes('b')
    ? { kind: 'bytes', start, end }
    : { kind: 'string', prefix, isTriple, start, end }
}

/** Reads an expression. A text that is no CEL throws a SyntaxError. */
export function parseCel(text: string): CelNode {
  return new CelParser(text).parseAll()
}

/** The direct parts of an expression. */
export function partsOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'select':
    case 'unary':
      return [node.operand]
    case 'index':
      return [node.operand, node.index]
    case 'call':
      return [...(node.target === undefined ? [] : [node.target]), ...node.parameters]
    case 'list':
      return node.items
    case 'map':
      return node.entries.flat()
    case 'binary':
      return [node.left, node.right]
    case 'conditional':
      return [node.test, node.yes, node.no]
    default:
      return []
  }
}
