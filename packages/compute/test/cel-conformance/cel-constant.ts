import type { CelNode } from './cel-syntax.ts'

/** The text of a literal string, or nothing where it has escapes or is not a plain literal. */
function plainText(node: CelNode, source: string): string | undefined {
  if (node.kind !== 'string' || node.prefix !== '' || node.isTriple) return undefined
  const text = source.slice(node.start, node.end)
  return /^(["']).*\1$/.test(text) && !text.includes('\\') ? text.slice(1, -1) : undefined
}

/** The JSON value of a constant expression, boxed; nothing where it is not constant. */
export function constantOf(node: CelNode, source: string): { readonly json: unknown } | undefined {
  switch (node.kind) {
    case 'int':
    case 'uint':
    case 'double':
      return { json: Number(node.text.replace(/[uU]$/, '')) }
    case 'bool':
      return { json: node.text === 'true' }
    case 'null':
      return { json: null }
    case 'string': {
      const text = plainText(node, source)
      return text === undefined ? undefined : { json: text }
    }
    case 'unary': {
      const operand = constantOf(node.operand, source)
      return node.operator === '-' && typeof operand?.json === 'number'
        ? { json: -operand.json }
        : undefined
    }
    case 'list': {
      const items = node.items.map((item) => constantOf(item, source))
      return items.includes(undefined) ? undefined : { json: items.map((item) => item?.json) }
    }
    case 'map': {
      const entries = node.entries.map(
        ([key, value]) => [plainText(key, source), constantOf(value, source)] as const,
      )
      const isConstant = entries.every(([key, value]) => key !== undefined && value !== undefined)
      return isConstant
        ? { json: Object.fromEntries(entries.map(([key, value]) => [key, value?.json])) }
        : undefined
    }
    case 'call': {
      const [only] = node.parameters
      return node.name === 'dyn' && only !== undefined ? constantOf(only, source) : undefined
    }
    default:
      return undefined
  }
}

interface WholeNumber {
  readonly value: bigint
  readonly isUnsigned: boolean
}

const operations: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (right === 0n ? 0n : left / right),
}

/** The exact value of a constant whole-number expression. */
export function wholeNumberOf(node: CelNode): WholeNumber | undefined {
  if (node.kind === 'int' || node.kind === 'uint')
    return { value: BigInt(node.text.replace(/[uU]$/, '')), isUnsigned: node.kind === 'uint' }
  if (node.kind === 'unary' && node.operator === '-') {
    const operand = wholeNumberOf(node.operand)
    return operand === undefined ? undefined : { ...operand, value: -operand.value }
  }
  if (node.kind === 'binary') {
    const [left, right] = [wholeNumberOf(node.left), wholeNumberOf(node.right)]
    const operation = operations[node.operator]
    if (left === undefined || right === undefined || operation === undefined) return undefined
    return { value: operation(left.value, right.value), isUnsigned: left.isUnsigned }
  }
  if (node.kind !== 'call') return undefined
  const [only] = node.parameters
  const inner = only === undefined ? undefined : wholeNumberOf(only)
  if (inner === undefined) return undefined
  if (node.name === 'abs') return { ...inner, value: inner.value < 0n ? -inner.value : inner.value }
  return node.name === 'int' || node.name === 'uint'
    ? { value: inner.value, isUnsigned: node.name === 'uint' }
    : undefined
}

/** Whether a constant leaves the 64 bits that CEL has for it. */
export function leavesRange({ value, isUnsigned }: WholeNumber): boolean {
  return isUnsigned ? value < 0n || value >= 1n << 64n : value < -(1n << 63n) || value >= 1n << 63n
}

/** The exact value of a whole number beyond 2^53, written as an integer or as a double. */
function digitsOf(node: CelNode): bigint | undefined {
  const whole = wholeNumberOf(node)
  if (whole !== undefined) return whole.value
  if (node.kind === 'double')
    return /^\d+\.0$/.test(node.text) ? BigInt(node.text.slice(0, -2)) : undefined
  const inner =
    node.kind === 'unary' ? node.operand : node.kind === 'call' ? node.parameters[0] : undefined
  const digits = inner === undefined ? undefined : digitsOf(inner)
  return node.kind === 'unary' && digits !== undefined ? -digits : digits
}

/** Whether two constants compare otherwise once they are doubles, which is what CEL compares. */
export function comparesOtherwise(left: CelNode, right: CelNode): boolean {
  const [first, second] = [digitsOf(left), digitsOf(right)]
  if (first === undefined || second === undefined) return false
  const exact = first < second ? -1 : Number(first > second)
  return exact !== Math.sign(Number(first) - Number(second))
}

/** Whether a constant is no double, so that `double()` changes it. */
export function losesDigits(node: CelNode): boolean {
  const digits = digitsOf(node)
  return digits !== undefined && BigInt(Number(digits)) !== digits
}
