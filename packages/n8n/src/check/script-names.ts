import type { Program } from 'acorn'
import {
  type SyntaxNode,
  boundNames,
  constantText,
  keyOf,
  nameOf,
  walkTree,
} from './script-tree.ts'

/** What a program asks n8n for. */
export interface ScriptNames {
  /** Names of nodes that it refers to, where they are written out. */
  readonly nodes: ReadonlySet<string>
  /** `$env`, `$vars` and what could reach them unseen. */
  readonly environment: ReadonlySet<string>
}

const environmentNames: ReadonlySet<string> = new Set(['$env', '$vars', '$evaluateExpression'])
/** What `$item(0)` gives has everything that an expression has, `$env` as well. */
const wholeName = '$item'

/** Reads a program without running it. Comments and plain texts are not looked into. */
export function readScriptNames(program: Program): ScriptNames {
  const nodes = new Set<string>()
  const environment = new Set<string>()
  const harmless = new Set<SyntaxNode>()
  const own = boundNames(program)
  walkTree(program, (node) => {
    readNode(node, { nodes, own })
    readEnvironment(node, environment, harmless)
  })
  return { nodes, environment }
}

/** @param own names of the program's own, such as a `$` that reads HTML */
function readNode(
  node: SyntaxNode,
  { nodes, own }: { readonly nodes: Set<string>; readonly own: ReadonlySet<string> },
): void {
  const { callee, object } = node
  if (own.has((callee ?? object)?.name ?? '')) return
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
