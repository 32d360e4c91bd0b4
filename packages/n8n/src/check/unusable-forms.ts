import type { Program } from 'acorn'
import { type SyntaxNode, boundNames, keyOf, nameOf, walkTree } from './script-tree.ts'

/** Names that n8n denies to expressions, of properties as of variables (n8n-workflow, utils: unsafeObjectProperties). */
const deniedNames: ReadonlySet<string> = new Set(
  (
    '__proto__ prototype constructor getPrototypeOf setPrototypeOf getOwnPropertyDescriptor getOwnPropertyDescriptors ' +
    'defineProperty defineProperties mainModule binding _linkedBinding _load prepareStackTrace __lookupGetter__ ' +
    '__lookupSetter__ __defineGetter__ __defineSetter__ caller callee arguments getBuiltinModule dlopen execve loadEnvFile'
  ).split(' '),
)
/** Names in JavaScript, but not in the form of it that n8n reads (esprima-next, as a module). */
const reservedNames: ReadonlySet<string> = new Set(['await', 'let', 'yield'])
/** The same for parameters and variables; n8n reads these as names of its data elsewhere. */
const strictNames: ReadonlySet<string> = new Set(
  'implements interface package private protected public static'.split(' '),
)
const deniedBases: ReadonlySet<string> = new Set(
  'Function GeneratorFunction AsyncFunction AsyncGeneratorFunction Buffer'.split(' '),
)
const functionTypes: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'ClassExpression',
  'FunctionExpression',
])
/** Functions, which give nothing before they are called. Names that may be fields of somebody's JSON are not among them. */
const functionNames =
  /^(?:\$(?:|if|ifEmpty|items|item|jmespath|max|min|fromAI)|(?:\$input|\$\(\))\.(?:all|first|last|itemMatching)|.+\.(?:toString|toISO|toISOString|toFixed|toLowerCase|toUpperCase)|(?:String|Number|Boolean|Array|Object|Date|Error|RegExp|Map|Set|parseInt|parseFloat)|Math\.[a-z]\w*)$/

/**
 * Why n8n cannot evaluate an expression that JavaScript allows, if that can be seen.
 *
 * `isWhole`: nothing stands beside it, so that n8n takes its value as it is.
 */
export function findUnusable(program: Program, isWhole: boolean): string | undefined {
  const bound = boundNames(program)
  const strict = [...bound].find((name) => strictNames.has(name))
  if (strict !== undefined) return `"${strict}" is a reserved word`
  const [first] = program.body
  const whole = first?.type === 'ExpressionStatement' ? (first.expression as SyntaxNode) : undefined
  const called = new Set<SyntaxNode | undefined>()
  let reason: string | undefined
  walkTree(program, (node) => {
    if (node.type === 'CallExpression') called.add(node.callee)
    reason ??= readForm(node, bound) ?? readDollar(node, { called, whole })
  })
  return reason ?? (isWhole ? readValue(whole) : undefined)
}

function readForm(node: SyntaxNode, bound: ReadonlySet<string>): string | undefined {
  const { async, key, kind, method, name = '', params = [], properties = [], raw = '', type } = node
  if (async === true) return 'n8n waits for no asynchronous function'
  const names = params.flatMap((each) => (each.name === undefined ? [] : [each.name]))
  if (new Set(names).size < names.length) return 'a function has two parameters of one name'
  switch (type) {
    case 'Identifier':
      if (reservedNames.has(name)) return `"${name}" is a reserved word`
      return deniedNames.has(name) && !bound.has(name) ? denied(name) : undefined
    case 'MemberExpression': {
      // n8n looks at names and at texts, and at what else there is when it runs.
      const { computed, property } = node
      const read =
        computed === true && property?.type !== 'Literal' ? undefined : keyOf(node, property)
      return read !== undefined && deniedNames.has(read) ? denied(read) : undefined
    }
    case 'ObjectPattern':
      for (const each of properties) {
        if (each.computed === true) return 'n8n takes no computed names in a pattern'
        const property = keyOf(each, each.key)
        if (property !== undefined && deniedNames.has(property)) return denied(property)
      }
      return undefined
    case 'Property':
      return method === true || kind === 'get' || kind === 'set'
        ? `n8n takes no methods in objects (${key?.name ?? 'a computed one'}); write a property with an arrow function`
        : undefined
    case 'MethodDefinition':
    case 'PrivateIdentifier':
      return 'n8n takes no methods and private fields of classes'
    case 'ClassDeclaration':
    case 'ClassExpression': {
      const { superClass } = node
      const isUsable =
        !superClass || (superClass.type === 'Identifier' && !deniedBases.has(superClass.name ?? ''))
      return isUsable ? undefined : 'n8n denies expressions the base of a class'
    }
    case 'Literal':
      return /[\u2028\u2029]/.test(raw)
        ? 'a text has a line separator (U+2028 or U+2029) in it'
        : undefined
    case 'ImportExpression':
      return 'n8n denies expressions import()'
    case 'WithStatement':
      return 'n8n denies expressions "with"'
    default:
      return undefined
  }
}

/** `$` is a function to call; something else may have that name only where the whole expression ends with it. */
function readDollar(
  node: SyntaxNode,
  {
    called,
    whole,
  }: {
    readonly called: ReadonlySet<SyntaxNode | undefined>
    readonly whole: SyntaxNode | undefined
  },
): string | undefined {
  if (node.type === 'Identifier')
    return node.name === '$' && !called.has(node)
      ? 'n8n takes $ as a function only: $("Node"); the item is $json'
      : undefined
  const isName =
    node.computed !== true &&
    ((node.type === 'MemberExpression' && node.property?.name === '$' && node !== whole) ||
      (node.type === 'Property' && node.key?.name === '$'))
  return isName ? 'n8n takes $ as a function only; a property of that name is ["$"]' : undefined
}

/** n8n looks for it in all of a text with expressions, beside them and in their comments too. */
export function findDenied(text: string): string | undefined {
  return /\.\s*constructor/.test(text) ? denied('constructor') : undefined
}

function denied(name: string): string {
  return `n8n denies expressions the name ${name}`
}

/** What n8n takes for the value of the parameter, where that is a function. */
function readValue(value: SyntaxNode | undefined): string | undefined {
  if (value === undefined) return undefined
  const isFunction = functionTypes.has(value.type) || functionNames.test(pathOf(value))
  return isFunction ? 'it is a function; call it, with () at its end' : undefined
}

/** `$input.first` as it stands there, a call as `()`. Empty where it is something else. */
function pathOf(node: SyntaxNode | undefined): string {
  if (node?.type === 'Identifier') return node.name ?? ''
  if (node?.type === 'CallExpression') return `${pathOf(node.callee)}()`
  const name = node === undefined ? undefined : nameOf(node)
  return name === undefined ? '' : `${pathOf(node?.object)}.${name}`
}
