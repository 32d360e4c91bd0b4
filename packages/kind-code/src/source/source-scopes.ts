import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
} from 'acorn'
import type { SourceTree } from './source-tree.ts'

/** A function of whatever form. */
export type FunctionNode =
  | FunctionDeclaration
  | AnonymousFunctionDeclaration
  | FunctionExpression
  | ArrowFunctionExpression

/** A name that the source declares. */
interface SourceBinding {
  readonly name: string
  /** What it is given by its declaration: a function, a class, or an expression; `undefined` where only a part of it is. */
  readonly value: AnyNode | undefined
  /** Where it is used; without its declaration. */
  readonly references: Identifier[]
  /** Whether it can hold another value than the one it was declared with. */
  isReassigned: boolean
}

/** Which names mean what. */
export interface SourceScopes {
  /** The binding that an identifier declares or uses. */
  bindingOf(identifier: Identifier): SourceBinding | undefined
  /** Uses of names that the source does not declare. */
  readonly free: readonly Identifier[]
}

interface Scope {
  readonly parent: Scope | undefined
  readonly isFunction: boolean
  readonly names: Map<string, SourceBinding>
}

const blockTypes = new Set<AnyNode['type']>([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'ClassExpression',
])

/** Finds out what every identifier means, by the scoping rules of strict mode. */
export function analyseScopes(tree: SourceTree): SourceScopes {
  const scopes = new Map<AnyNode, Scope>()
  const bindings = new Map<Identifier, SourceBinding>()
  for (const node of tree.nodes) {
    const parent = tree.parentOf(node)
    const outer = parent === undefined ? undefined : scopes.get(parent)
    const inner = openScope(node, parent, outer)
    scopes.set(node, inner)
    for (const declaration of declarationsOf(node, outer ?? inner, inner)) {
      const { identifier, isConstant, scope, value } = declaration
      const known = scope.names.get(identifier.name)
      const binding = known ?? {
        name: identifier.name,
        value,
        references: [],
        isReassigned: !isConstant,
      }
      // `var` may be declared twice; then nobody knows which value it has.
      if (known !== undefined) known.isReassigned = true
      scope.names.set(identifier.name, binding)
      bindings.set(identifier, binding)
    }
  }
  const free: Identifier[] = []
  for (const node of tree.nodes) {
    if (node.type !== 'Identifier' || bindings.has(node) || !isReference(node, tree)) continue
    const binding = findBinding(node.name, scopes.get(node))
    if (binding === undefined) free.push(node)
    else {
      bindings.set(node, binding)
      binding.references.push(node)
      if (isAssigned(node, tree)) binding.isReassigned = true
    }
  }
  return { free, bindingOf: (identifier) => bindings.get(identifier) }
}

/** Whether a node is a function of whatever form. */
export function isFunction(node: AnyNode | null | undefined): node is FunctionNode {
  return (
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  )
}

function openScope(node: AnyNode, parent: AnyNode | undefined, outer: Scope | undefined): Scope {
  // The body of a function shares the scope of its parameters: it cannot declare the same names by let or const.
  const isBody = node.type === 'BlockStatement' && isFunction(parent)
  const opensFunction = isFunction(node) || node.type === 'StaticBlock'
  if (outer !== undefined && !opensFunction && (isBody || !blockTypes.has(node.type))) return outer
  return { parent: outer, isFunction: opensFunction || outer === undefined, names: new Map() }
}

interface Declaration {
  readonly identifier: Identifier
  readonly scope: Scope
  /** Whether its first value is its only one, as far as the declaration says. */
  readonly isConstant: boolean
  readonly value: AnyNode | undefined
}

function declarationsOf(node: AnyNode, outer: Scope, inner: Scope): readonly Declaration[] {
  const declare = (
    pattern: AnyNode | null | undefined,
    scope: Scope,
    value?: AnyNode,
  ): readonly Declaration[] =>
    patternIdentifiers(pattern).map((identifier) => ({
      identifier,
      scope,
      isConstant: true,
      value: identifier === pattern ? value : undefined,
    }))
  switch (node.type) {
    case 'VariableDeclaration': {
      const isVar = node.kind === 'var'
      const scope = isVar ? functionScope(outer) : outer
      return node.declarations.flatMap(({ id, init }) =>
        declare(id, scope, init ?? undefined).map((declaration) => ({
          ...declaration,
          // Without a value it is there to be given one.
          isConstant: !isVar || Boolean(init),
        })),
      )
    }
    case 'FunctionDeclaration':
      return [
        ...declare(node.id, outer, node),
        ...node.params.flatMap((each) => declare(each, inner)),
      ]
    case 'FunctionExpression':
      return [
        ...declare(node.id, inner, node),
        ...node.params.flatMap((each) => declare(each, inner)),
      ]
    case 'ArrowFunctionExpression':
      return node.params.flatMap((each) => declare(each, inner))
    case 'ClassDeclaration':
      return declare(node.id, outer, node)
    case 'ClassExpression':
      return declare(node.id, inner, node)
    case 'CatchClause':
      return declare(node.param, inner)
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return declare(node.local, outer)
    default:
      return []
  }
}

function functionScope(scope: Scope): Scope {
  let found = scope
  while (!found.isFunction && found.parent !== undefined) found = found.parent
  return found
}

function findBinding(name: string, scope: Scope | undefined): SourceBinding | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const binding = at.names.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}

/** The names that a pattern binds. */
function patternIdentifiers(pattern: AnyNode | null | undefined): readonly Identifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternIdentifiers(property.type === 'Property' ? property.value : property.argument),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => patternIdentifiers(element))
    case 'AssignmentPattern':
      return patternIdentifiers(pattern.left)
    case 'RestElement':
      return patternIdentifiers(pattern.argument)
    default:
      return []
  }
}

/** Whether an identifier is a use of a name, rather than a key, a label or the name in another module. */
function isReference(node: Identifier, tree: SourceTree): boolean {
  const parent = tree.parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed
    case 'Property':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return parent.value === node || parent.computed
    case 'ExportSpecifier': {
      const declaration = tree.parentOf(parent)
      return (
        parent.local === node &&
        declaration?.type === 'ExportNamedDeclaration' &&
        (declaration.source ?? null) === null
      )
    }
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'ImportSpecifier':
    case 'ImportAttribute':
    case 'ExportAllDeclaration':
    case 'MetaProperty':
      return false
    default:
      return true
  }
}

/** Whether a use of a name gives it a value, by itself or as a part of a pattern. */
function isAssigned(node: Identifier, tree: SourceTree): boolean {
  const parent = tree.parentOf(node)
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'AssignmentPattern':
      return parent.left === node
    case 'UpdateExpression':
    case 'RestElement':
    case 'ArrayPattern':
      return true
    case 'Property':
      return parent.value === node && tree.parentOf(parent)?.type === 'ObjectPattern'
    default:
      return false
  }
}
