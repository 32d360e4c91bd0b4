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
  readonly expressions?: readonly SyntaxNode[]
  readonly quasis?: readonly { readonly value: { readonly cooked?: string | null } }[]
}

const environmentNames: ReadonlySet<string> = new Set(['$env', '$vars'])

/** Reads a program without running it. Comments and plain texts are not looked into. */
export function readScriptNames(program: Program): ScriptNames {
  const nodes = new Set<string>()
  const environment = new Set<string>()
  // By hand and not by recursion: a sum of 100,000 terms is a tree of that depth.
  const stack: SyntaxNode[] = [program]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    readNode(node, nodes, environment)
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

function readNode(node: SyntaxNode, nodes: Set<string>, environment: Set<string>): void {
  if (node.type === 'Identifier' && environmentNames.has(node.name ?? ''))
    environment.add(node.name ?? '')
  if (node.type === 'CallExpression') {
    const { callee } = node
    if (callee?.type === 'Identifier' && callee.name === '$evaluateExpression')
      environment.add(callee.name)
    const name = constantText(node.arguments?.[0])
    if (callee?.type === 'Identifier' && (callee.name === '$' || callee.name === '$items'))
      if (name !== undefined) nodes.add(name)
  }
  if (node.type !== 'MemberExpression') return
  const property = node.computed ? constantText(node.property) : node.property?.name
  if (property === undefined) return
  // Such as this["$env"].
  if (environmentNames.has(property) && node.object?.type === 'ThisExpression')
    environment.add(property)
  if (node.object?.type === 'Identifier' && node.object.name === '$node') nodes.add(property)
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
