import type { Program } from 'acorn'

/** What is read of a node of the syntax tree. */
export interface SyntaxNode {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly raw?: string
  readonly kind?: string
  readonly method?: boolean
  readonly computed?: boolean
  readonly shorthand?: boolean
  readonly async?: boolean
  readonly id?: SyntaxNode | null
  readonly label?: SyntaxNode | null
  readonly superClass?: SyntaxNode | null
  readonly param?: SyntaxNode | null
  readonly params?: readonly SyntaxNode[]
  readonly expression?: SyntaxNode | boolean
  readonly callee?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly key?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly properties?: readonly SyntaxNode[]
  readonly expressions?: readonly SyntaxNode[]
  readonly quasis?: readonly { readonly value: { readonly cooked?: string | null } }[]
}

/** Visits each node of a tree but names after a dot and keys of objects, which are no variables. */
export function walkTree(root: Program | SyntaxNode, visit: (node: SyntaxNode) => void): void {
  // By hand and not by recursion: a sum of 100,000 terms is a tree of that depth.
  const stack: SyntaxNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node)
    // Nodes of the tree have no inherited fields that are objects, and this is the hottest loop.
    for (const field in node) {
      const child: unknown = node[field as keyof SyntaxNode]
      if (typeof child !== 'object' || child === null || isPlainName(node, field)) continue
      for (const each of Array.isArray(child) ? (child as readonly unknown[]) : [child])
        if (isSyntaxNode(each)) stack.push(each)
    }
  }
}

/** Names that a program binds itself, anywhere in it: parameters, variables, functions, classes, labels. */
export function boundNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  const bind = (pattern: SyntaxNode): void =>
    walkTree(pattern, ({ name, type }) => {
      if (type === 'Identifier' && name !== undefined) names.add(name)
    })
  walkTree(program, ({ id, label, param, params = [] }) => {
    for (const each of params) bind(each)
    // Of a variable, a function or a class.
    if (id) bind(id)
    if (label) bind(label)
    if (param) bind(param)
  })
  return names
}

/** What a variable or a property is called, where that is written out. */
export function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? keyOf(node, node.property) : undefined
}

export function keyOf({ computed }: SyntaxNode, key: SyntaxNode | undefined): string | undefined {
  return computed === true ? constantText(key) : (constantText(key) ?? key?.name)
}

/** Names after a dot and keys of objects are no variables. */
function isPlainName(node: SyntaxNode, field: string): boolean {
  if (node.type === 'MemberExpression') return field === 'property' && node.computed !== true
  if (node.type === 'Property' || node.type === 'MethodDefinition')
    return field === 'key' && node.computed !== true && node.shorthand !== true
  return false
}

export function constantText(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions?.length === 0)
    return node.quasis?.[0]?.value.cooked ?? undefined
  return undefined
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}
