import type { AnyNode, Program } from 'acorn'
import { loadAcorn } from './load-acorn.ts'
import type { SourcePlace } from './source-problem.ts'
import { SourceSyntaxError } from './source-syntax-error.ts'

/** How deep the syntax of a source may nest; long chains such as `a + b + c` nest with each part. */
const maxTreeDepth = 400

/** A parsed module. */
export interface SourceTree {
  readonly program: Program
  /** Every node, each before those in it, in the order of the source. */
  readonly nodes: readonly AnyNode[]
  parentOf(node: AnyNode): AnyNode | undefined
  /** Where a node begins; both count from 1. */
  placeOf(node: AnyNode): SourcePlace
}

/**
 * Parses a module in JavaScript. Nothing here recurses but the parser, whose overflow is an ordinary error.
 *
 * @throws {SourceSyntaxError} with the rule `syntax`, or `size` where it nests too deep
 */
export function parseSource(code: string): SourceTree {
  const program = parseProgram(code)
  const nodes: AnyNode[] = []
  const parents = new Map<AnyNode, AnyNode>()
  const waiting: AnyNode[] = [program]
  let lines: readonly number[] | undefined
  const depths: number[] = [0]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const depth = depths.pop() ?? 0
    if (depth > maxTreeDepth) throw tooDeep(placeIn(findLines(code), node.start))
    nodes.push(node)
    const children = childrenOf(node)
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      // `export { a }` has one node for both names.
      if (child === undefined || parents.has(child)) continue
      parents.set(child, node)
      waiting.push(child)
      depths.push(depth + 1)
    }
  }
  return {
    program,
    nodes,
    parentOf: (node) => parents.get(node),
    placeOf: ({ start }) => placeIn((lines ??= findLines(code)), start),
  }
}

/** Where lines begin. To have the parser keep the place of every node takes longer than all checks. */
function findLines(code: string): readonly number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function placeIn(starts: readonly number[], offset: number): SourcePlace {
  const next = starts.findIndex((start) => start > offset)
  const line = next === -1 ? starts.length : next
  return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
}

function parseProgram(code: string): Program {
  try {
    return loadAcorn().parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  } catch (error) {
    if (error instanceof RangeError)
      throw new SourceSyntaxError(
        'The source nests too deep to be read. Split it into functions and statements.',
        { rule: 'size' },
      )
    if (!(error instanceof SyntaxError)) throw error
    const { loc } = error as SyntaxError & { readonly loc?: { line: number; column: number } }
    throw new SourceSyntaxError(describeSyntaxError(error.message), {
      rule: 'syntax',
      line: loc?.line ?? 1,
      column: (loc?.column ?? 0) + 1,
    })
  }
}

function describeSyntaxError(message: string): string {
  const sentence = message.replace(/ \(\d+:\d+\)$/, '').slice(0, 300)
  if (sentence === "Unexpected character '@'") return 'Decorators are not there. Call the function.'
  if (sentence === "'with' in strict mode") return '"with" is not there. Name the object.'
  return `${sentence}.`
}

function tooDeep(place: SourcePlace): SourceSyntaxError {
  return new SourceSyntaxError(
    `The source nests deeper than ${maxTreeDepth}. Split it into functions and statements.`,
    { rule: 'size', ...place },
  )
}

/** The nodes in a node, in the order of the source. Called for every node, so it makes nothing that it does not give. */
function childrenOf(node: AnyNode): readonly AnyNode[] {
  const children: AnyNode[] = []
  const fields = node as unknown as Readonly<Record<string, unknown>>
  let isOrdered = true
  let last = -1
  const take = (value: unknown): void => {
    if (!isNode(value)) return
    isOrdered &&= value.start >= last
    last = value.start
    children.push(value)
  }
  for (const key in fields) {
    const value = fields[key]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) for (const each of value) take(each)
    else take(value)
  }
  return isOrdered ? children : children.toSorted((left, right) => left.start - right.start)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
