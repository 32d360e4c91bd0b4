import type { CelNode } from './cel-syntax.ts'

/** What is known of a value's CEL type: enough to see where one number type makes a difference. */
export type CelType =
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bool'
  | 'bytes'
  | 'null'
  | 'map'
  | 'type'
  | 'unknown'
  | { readonly list: CelType }

/** The variables in reach. */
export type CelScope = ReadonlyMap<string, CelType>

const resultTypes: Readonly<Record<string, CelType>> = {
  size: 'int',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bool: 'bool',
  bytes: 'bytes',
  type: 'type',
  contains: 'bool',
  startsWith: 'bool',
  endsWith: 'bool',
  has: 'bool',
  all: 'bool',
  exists: 'bool',
  exists_one: 'bool',
  indexOf: 'int',
  lastIndexOf: 'int',
  join: 'string',
  replace: 'string',
  substring: 'string',
  lowerAscii: 'string',
  upperAscii: 'string',
  trim: 'string',
  charAt: 'string',
  split: { list: 'string' },
  ceil: 'double',
  floor: 'double',
  round: 'double',
  trunc: 'double',
}

const common = (types: readonly CelType[]): CelType => {
  const [first = 'unknown'] = types
  return types.every((type) => JSON.stringify(type) === JSON.stringify(first)) ? first : 'unknown'
}

/** The type of the items of a list. */
function itemType(type: CelType): CelType {
  return typeof type === 'object' ? type.list : 'unknown'
}

/** The name a macro binds: the variable of `list.map(variable, …)`. */
export function macroVariable(node: CelNode): string | undefined {
  if (node.kind !== 'call' || node.target === undefined) return undefined
  if (!['all', 'exists', 'exists_one', 'map', 'filter'].includes(node.name)) return undefined
  const [variable] = node.parameters
  return variable?.kind === 'identifier' && node.parameters.length > 1 ? variable.name : undefined
}

/** The scope inside a macro. */
export function macroScope(node: CelNode, scope: CelScope): CelScope {
  const variable = macroVariable(node)
  if (variable === undefined || node.kind !== 'call' || node.target === undefined) return scope
  return new Map([...scope, [variable, itemType(typeOf(node.target, scope))]])
}

function callType(node: CelNode & { kind: 'call' }, scope: CelScope): CelType {
  const [first, last] = [node.parameters[0], node.parameters.at(-1)]
  if (node.name === 'dyn' && first !== undefined) return typeOf(first, scope)
  if (['greatest', 'least', 'abs', 'sign'].includes(node.name))
    return common(node.parameters.map((parameter) => typeOf(parameter, scope)))
  if (node.name === 'filter' && node.target !== undefined) return typeOf(node.target, scope)
  if (node.name === 'map' && last !== undefined)
    return { list: typeOf(last, macroScope(node, scope)) }
  return resultTypes[node.name] ?? 'unknown'
}

function binaryType(node: CelNode & { kind: 'binary' }, scope: CelScope): CelType {
  return ['+', '-', '*', '/', '%'].includes(node.operator)
    ? common([typeOf(node.left, scope), typeOf(node.right, scope)])
    : 'bool'
}

/** The CEL type of an expression as far as it can be seen without running it. `dyn()` hides nothing. */
export function typeOf(node: CelNode, scope: CelScope): CelType {
  switch (node.kind) {
    case 'int':
    case 'uint':
    case 'double':
    case 'bool':
    case 'null':
    case 'string':
    case 'bytes':
    case 'map':
      return node.kind
    case 'list':
      return { list: common(node.items.map((item) => typeOf(item, scope))) }
    case 'identifier':
      return scope.get(node.name) ?? 'unknown'
    case 'unary':
      return node.operator === '!' ? 'bool' : typeOf(node.operand, scope)
    case 'binary':
      return binaryType(node, scope)
    case 'conditional':
      return common([typeOf(node.yes, scope), typeOf(node.no, scope)])
    case 'index':
      return itemType(typeOf(node.operand, scope))
    case 'call':
      return callType(node, scope)
    default:
      return 'unknown'
  }
}
