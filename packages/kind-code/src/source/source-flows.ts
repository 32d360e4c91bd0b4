import type { AnyNode, CallExpression, Identifier } from 'acorn'
import type { SourceConstants } from './source-constants.ts'
import { type FunctionNode, type SourceScopes, isFunction } from './source-scopes.ts'
import type { SourceTree } from './source-tree.ts'

/** One place where a value that is traced ends up. */
export interface SourceFlow {
  /** What it is, such as `['ctx', 'fs', 'readText']`. */
  readonly path: readonly string[]
  readonly node: AnyNode
  /**
   * `call`: it is called, by `node`. `write`, `delete`: it is replaced or removed. `read`: it is only looked at, or given a
   * name. `escape`: from here on nobody can tell what becomes of it.
   */
  readonly how: 'call' | 'write' | 'delete' | 'read' | 'escape'
}

/** What a trace needs to know of the source. */
export interface FlowSource {
  readonly tree: SourceTree
  readonly scopes: SourceScopes
  readonly constants: SourceConstants
}

/** Where values come from. */
export interface FlowRoot {
  readonly path: readonly string[]
  /** A parameter or another pattern that receives the value, or an expression that is the value. */
  readonly node: AnyNode
  readonly isPattern: boolean
}

/** Where traced values went. */
export interface SourceTrace {
  readonly flows: readonly SourceFlow[]
  /** What an expression is known to be; the first answer where there are several. */
  pathOf(node: AnyNode): readonly string[] | undefined
}

const maxPathLength = 8
/** Steps of a trace; an ordinary tool takes a few hundred. What is not followed any more is an escape. */
const maxSteps = 30_000

/**
 * Follows values through members, aliases, destructuring, and calls of the source's own functions. What goes anywhere else
 * is an `escape`.
 */
export function traceFlows(roots: readonly FlowRoot[], source: FlowSource): SourceTrace {
  const trace = new Trace(source)
  for (const { isPattern, node, path } of roots)
    if (isPattern) trace.bind(node, path)
    else trace.follow(node, path)
  trace.run()
  if (trace.isSpent)
    for (const { node, path } of roots) trace.flows.push({ path, node, how: 'escape' })
  return { flows: trace.flows, pathOf: (node) => trace.paths.get(node) }
}

class Trace {
  readonly flows: SourceFlow[] = []
  readonly paths: Map<AnyNode, readonly string[]> = new Map()
  readonly #source: FlowSource
  readonly #seen = new Map<AnyNode, Set<string>>()
  #steps = 0
  readonly #waiting: { readonly node: AnyNode; readonly path: readonly string[] }[] = []

  constructor(source: FlowSource) {
    this.#source = source
  }

  get isSpent(): boolean {
    return this.#steps > maxSteps
  }

  run(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      if (this.isSpent) return
      this.#step(next.node, next.path)
    }
  }

  /** An expression is known to have the value. */
  follow(node: AnyNode, path: readonly string[]): void {
    if (!this.#isNew(node, path)) return
    if (!this.paths.has(node)) this.paths.set(node, path)
    this.#waiting.push({ node, path })
  }

  /** A pattern receives the value. */
  bind(pattern: AnyNode, path: readonly string[]): void {
    if (!this.#isNew(pattern, path)) return
    switch (pattern.type) {
      case 'Identifier':
        return this.#bindName(pattern, path)
      case 'AssignmentPattern':
        return this.bind(pattern.left, path)
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          const key =
            property.type === 'Property' ? this.#source.constants.keyOf(property) : undefined
          if (property.type !== 'Property' || key === undefined)
            this.#emit(path, property, 'escape')
          else {
            const inner = extend(path, key)
            this.#emit(inner, property, 'read')
            this.bind(property.value, inner)
          }
        }
        return
      default:
        this.#emit(path, pattern, 'escape')
    }
  }

  #bindName(name: Identifier, path: readonly string[]): void {
    const binding = this.#source.scopes.bindingOf(name)
    this.#emit(path, name, binding === undefined ? 'escape' : 'read')
    for (const reference of binding?.references ?? []) this.follow(reference, path)
  }

  /** Whether a node is looked at with this value for the first time, and there is still work to be done. */
  #isNew(node: AnyNode, path: readonly string[]): boolean {
    this.#steps += 1
    if (this.isSpent) return false
    const seen = this.#seen.get(node) ?? new Set()
    const key = path.join('\n')
    if (seen.has(key)) return false
    this.#seen.set(node, seen.add(key))
    return true
  }

  #emit(path: readonly string[], node: AnyNode, how: SourceFlow['how']): void {
    this.flows.push({ path, node, how })
  }

  #step(node: AnyNode, path: readonly string[]): void {
    const parent = this.#source.tree.parentOf(node)
    switch (parent?.type) {
      case 'MemberExpression': {
        if (parent.object !== node) return this.#emit(path, node, 'read')
        const key = this.#source.constants.keyOf(parent)
        return key === undefined
          ? this.#emit(path, parent, 'escape')
          : this.follow(parent, extend(path, key))
      }
      case 'ChainExpression':
      case 'AwaitExpression':
        return this.follow(parent, path)
      case 'LogicalExpression':
        // It may be the value of the whole, or be thrown away.
        this.#emit(path, node, 'read')
        return this.follow(parent, path)
      case 'ConditionalExpression':
        return parent.test === node ? this.#emit(path, node, 'read') : this.follow(parent, path)
      case 'SequenceExpression':
        return parent.expressions.at(-1) === node
          ? this.follow(parent, path)
          : this.#emit(path, node, 'read')
      case 'CallExpression':
        return parent.callee === node
          ? this.#emit(path, parent, 'call')
          : this.#passOn(parent, node, path)
      case 'VariableDeclarator':
        return this.bind(parent.id, path)
      case 'AssignmentPattern':
        return parent.right === node
          ? this.bind(parent.left, path)
          : this.#emit(path, node, 'write')
      case 'AssignmentExpression':
        if (parent.left === node) return this.#emit(path, node, 'write')
        this.bind(parent.left, path)
        return this.follow(parent, path)
      case 'UpdateExpression':
      case 'ArrayPattern':
      case 'RestElement':
        return this.#emit(path, node, 'write')
      case 'UnaryExpression':
        return this.#emit(path, node, parent.operator === 'delete' ? 'delete' : 'read')
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#emit(path, node, parent.left === node ? 'write' : 'escape')
      case 'Property': {
        const isTarget = this.#source.tree.parentOf(parent)?.type === 'ObjectPattern'
        return this.#emit(path, node, isTarget ? 'write' : 'escape')
      }
      case 'ExpressionStatement':
      case 'BinaryExpression':
      case 'TemplateLiteral':
      case 'IfStatement':
        return this.#emit(path, node, 'read')
      default:
        this.#emit(path, node, 'escape')
    }
  }

  /** A value that is given to a function of the source arrives in its parameter. */
  #passOn(call: CallExpression, argument: AnyNode, path: readonly string[]): void {
    const index = call.arguments.findIndex((each) => each === argument)
    const isPlain = call.arguments.slice(0, index).every(({ type }) => type !== 'SpreadElement')
    const callee = isPlain ? this.#functionOf(call.callee) : undefined
    const parameter = callee?.params[index]
    if (callee === undefined || parameter === undefined) this.#emit(path, argument, 'escape')
    else this.bind(parameter, path)
  }

  #functionOf(callee: AnyNode): FunctionNode | undefined {
    if (isFunction(callee)) return callee
    const binding = callee.type === 'Identifier' ? this.#source.scopes.bindingOf(callee) : undefined
    if (binding === undefined || binding.isReassigned) return undefined
    return isFunction(binding.value) ? binding.value : undefined
  }
}

function extend(path: readonly string[], key: string): readonly string[] {
  return path.length < maxPathLength ? [...path, key] : path
}
