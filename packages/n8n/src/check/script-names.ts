import type { Program } from 'acorn'

/** What a program asks n8n for. */
export interface ScriptNames {
  /** Names of nodes that it refers to, where they are written out. */
  readonly nodes: ReadonlySet<string>
  /** `$env`, `$vars` and what could reach them unseen. */
  readonly environment: ReadonlySet<string>
}

/** What is read of a node of the syntax tree. */
interface SyntaxNode {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly computed?: boolean
  readonly shorthand?: boolean
  readonly callee?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly key?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly properties?: readonly SyntaxNode[]
  readonly expressions?: readonly SyntaxNode[]
  readonly quasis?: readonly { readonly value: { readonly cooked?: string | null } }[]
}

const environmentNames: ReadonlySet<string> = new Set(['$env', '$vars', '$evaluateExpression'])
/** What `$item(0)` gives has everything that an expression has, `$env` as well. */
const wholeName = '$item'

/** Reads a program without running it. Comments and plain texts are not looked into. */
export function readScriptNames(program: Program): ScriptNames {
  const nodes = new Set<string>()
  const environment = new Set<string>()
  const harmless = new Set<SyntaxNode>()
  // By hand and not by recursion: a sum of 100,000 terms is a tree of that depth.
  const stack: SyntaxNode[] = [program]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    readNode(node, nodes)
    readEnvironment(node, environment, harmless)
    // Nodes of the tree have no inherited fields that are objects, and this is the hottest loop.
    for (const field in node) {
      const child: unknown = node[field as keyof SyntaxNode]
      if (typeof child !== 'object' || child === null || isPlainName(node, field)) continue
      for (const each of Array.isArray(child) ? (child as readonly unknown[]) : [child])
        if (isSyntaxNode(each)) stack.push(each)
    }
  }
  return { nodes, environment }
}

function readNode(node: SyntaxNode, nodes: Set<string>): void {
  const { callee, object } = node
  if (node.type === 'CallExpression' && callee?.type === 'Identifier') {
    const name = constantText(node.arguments?.[0])
    if ((callee.name === '$' || callee.name === '$items') && name !== undefined) nodes.add(name)
  }
  if (node.type !== 'MemberExpression' || object?.type !== 'Identifier') return
  const property = keyOf(node, node.property)
  if (object.name === '$node' && property !== undefined) nodes.add(property)
}

/** @param harmless uses of `$item(…)` of which one property is taken, by a name that is written out */
function readEnvironment(
  node: SyntaxNode,
  environment: Set<string>,
  harmless: Set<SyntaxNode>,
): void {
  const { object, properties = [] } = node
  if (node.type === 'ObjectPattern')
    for (const each of properties) {
      const key = keyOf(each, each.key)
      if (key !== undefined && environmentNames.has(key)) environment.add(key)
    }
  const name = nameOf(node)
  if (name === undefined) return
  if (environmentNames.has(name)) environment.add(name)
  if (name === wholeName && !harmless.has(node)) environment.add(`$env, which ${wholeName} holds,`)
  const callee = object?.type === 'CallExpression' ? object.callee : undefined
  if (callee !== undefined && nameOf(callee) === wholeName) harmless.add(callee)
}

/** What a variable or a property is called, where that is written out. */
function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? keyOf(node, node.property) : undefined
}

function keyOf({ computed }: SyntaxNode, key: SyntaxNode | undefined): string | undefined {
  return computed === true ? constantText(key) : (constantText(key) ?? key?.name)
}

/** Names after a dot and keys of objects are no variables. */
function isPlainName(node: SyntaxNode, field: string): boolean {
  if (node.type === 'MemberExpression') return field === 'property' && node.computed !== true
  if (node.type === 'Property' || node.type === 'MethodDefinition')
    return field === 'key' && node.computed !== true && node.shorthand !== true
  return false
}

function constantText(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions?.length === 0)
    return node.quasis?.[0]?.value.cooked ?? undefined
  return undefined
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}
