import type { AnyNode, ExportSpecifier } from 'acorn'
import type { SourceAnalysis } from '../source/source-analysis.ts'
import { type FunctionNode, type SourceScopes, isFunction } from '../source/source-scopes.ts'

/** What a module exports by default. */
export interface DefaultExport {
  readonly node: AnyNode
  /** The function, where it stands in this source; `undefined` where only running the module tells. */
  readonly value: FunctionNode | undefined
}

const noFunctions = new Set<AnyNode['type']>([
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'ArrayExpression',
  'ClassDeclaration',
  'ClassExpression',
  'NewExpression',
  'UnaryExpression',
  'BinaryExpression',
  'UpdateExpression',
])

/** Finds the default export and checks that it can be the function of the tool. */
export function checkShape(analysis: SourceAnalysis): DefaultExport | undefined {
  const { powers, tree } = analysis
  const wanted =
    powers.form === 'factory'
      ? 'a function "(context) => tool({ … })"'
      : 'a function "async (input, ctx) => …"'
  const node = findDefaultExport(tree.program.body)
  if (node === undefined) {
    analysis.refuse(
      'shape.default-export',
      tree.program,
      `There is no default export. Write "export default" before ${wanted}.`,
    )
    return undefined
  }
  const value = resolve(node, analysis.scopes)
  if (value !== undefined && noFunctions.has(value.type))
    analysis.refuse(
      'shape.default-export',
      node,
      `The default export is ${describe(value)}; it must be ${wanted}.`,
    )
  else if (isFunction(value) && value.generator)
    analysis.refuse(
      'shape.default-export',
      node,
      `The default export is a generator; it must be ${wanted}.`,
    )
  return { node, value: isFunction(value) ? value : undefined }
}

/** The declaration, expression or name that is exported by default, or the statement that takes it from another module. */
function findDefaultExport(body: readonly AnyNode[]): AnyNode | undefined {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration
    if (statement.type !== 'ExportNamedDeclaration') continue
    const specifier = statement.specifiers.find((each) => nameOf(each) === 'default')
    if (specifier !== undefined) return statement.source ? statement : specifier.local
  }
  return undefined
}

function nameOf({ exported }: ExportSpecifier): string {
  return exported.type === 'Identifier' ? exported.name : String(exported.value)
}

function resolve(node: AnyNode, scopes: SourceScopes): AnyNode | undefined {
  const binding = node.type === 'Identifier' ? scopes.bindingOf(node) : undefined
  if (binding?.isReassigned === true) return undefined
  const value = binding === undefined ? node : binding.value
  return value !== undefined && (isFunction(value) || noFunctions.has(value.type))
    ? value
    : undefined
}

function describe(node: AnyNode): string {
  if (node.type.startsWith('Class')) return 'a class'
  if (node.type === 'ObjectExpression' || node.type === 'NewExpression') return 'an object'
  return node.type === 'ArrayExpression' ? 'an array' : 'a value'
}
