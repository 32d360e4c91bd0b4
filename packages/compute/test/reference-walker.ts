import { isDeepStrictEqual } from 'node:util'
import type { ComputeLogic, ComputeStep } from '../src/index.ts'

/**
 * A second, deliberately plain implementation: a tree of arrays is evaluated as it stands, and its
 * text is only made for the engine under test. The two share no parser and no evaluator.
 */
export type Tree =
  | { readonly number: number }
  | { readonly text: string }
  | { readonly boolean: boolean }
  | { readonly name: string }
  | { readonly negated: Tree }
  | { readonly not: Tree }
  | { readonly operator: string; readonly left: Tree; readonly right: Tree }

/** A step of a program whose expressions are trees. */
export type TreeStep =
  | { readonly op: 'math'; readonly tree: Tree; readonly output: string }
  | { readonly op: 'lookup'; readonly table: string; readonly key: string; readonly output: string }
  | { readonly op: 'format'; readonly names: readonly string[]; readonly output: string }
  | {
      readonly op: 'condition'
      readonly tree: Tree
      readonly then: readonly TreeStep[]
      readonly else: readonly TreeStep[]
    }
  | { readonly op: 'return'; readonly value: string }

/** The plain implementation's error: only its code counts. */
export class Refusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** A tree as text, every operator in parentheses. */
export function treeToText(tree: Tree): string {
  if ('number' in tree) return String(tree.number)
  if ('text' in tree) return JSON.stringify(tree.text)
  if ('boolean' in tree) return String(tree.boolean)
  if ('name' in tree) return tree.name
  if ('negated' in tree) return `-(${treeToText(tree.negated)})`
  if ('not' in tree) return `!(${treeToText(tree.not)})`
  return `(${treeToText(tree.left)} ${tree.operator} ${treeToText(tree.right)})`
}

/** Tree steps as the program they stand for. */
export function toLogic(steps: readonly TreeStep[]): ComputeLogic {
  const toStep = (step: TreeStep): ComputeStep => {
    switch (step.op) {
      case 'math':
        return { op: 'math', expression: treeToText(step.tree), output: step.output }
      case 'format': {
        const template = step.names.map((name) => `${name}={{${name}}}`).join(', ')
        return { op: 'format', template, output: step.output }
      }
      case 'condition':
        return {
          op: 'condition',
          if: treeToText(step.tree),
          then: step.then.map(toStep),
          else: step.else.map(toStep),
        }
      default:
        return step
    }
  }
  return { steps: steps.map(toStep) }
}

type Variables = Map<string, unknown>

function readVariable(name: string, variables: Variables): unknown {
  if (!variables.has(name)) throw new Refusal('unknown_variable')
  return variables.get(name)
}

function toNumber(value: unknown): number {
  if (typeof value !== 'number') throw new Refusal('type')
  return value
}

function toBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Refusal('type')
  return value
}

function arithmetic(operator: string, left: number, right: number): number {
  if ((operator === '/' || operator === '%') && right === 0) throw new Refusal('division_by_zero')
  const results: Record<string, number> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left % right,
  }
  const result = results[operator] ?? Number.NaN
  if (!Number.isFinite(result)) throw new Refusal('overflow')
  return result
}

function add(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right] as unknown[]
  return arithmetic('+', toNumber(left), toNumber(right))
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '==' || operator === '!=') {
    return isDeepStrictEqual(left, right) === (operator === '==')
  }
  const ordered = ['number', 'string'].includes(typeof left) && typeof left === typeof right
  if (!ordered) throw new Refusal('type')
  const [first, second] = [left as number, right as number]
  return (
    { '<': first < second, '<=': first <= second, '>': first > second }[operator] ?? first >= second
  )
}

/** Evaluates a tree by walking it. */
export function walkTree(tree: Tree, variables: Variables): unknown {
  if ('number' in tree) return tree.number
  if ('text' in tree) return tree.text
  if ('boolean' in tree) return tree.boolean
  if ('name' in tree) return readVariable(tree.name, variables)
  if ('negated' in tree) return -toNumber(walkTree(tree.negated, variables))
  if ('not' in tree) return !toBoolean(walkTree(tree.not, variables))
  const { operator, left, right } = tree
  if (operator === '&&' || operator === '||') {
    const first = toBoolean(walkTree(left, variables))
    if (first === (operator === '||')) return first
    return toBoolean(walkTree(right, variables))
  }
  if ('+-*/%'.includes(operator)) {
    const first = walkTree(left, variables)
    const second = walkTree(right, variables)
    if (operator === '+') return add(first, second)
    return arithmetic(operator, toNumber(first), toNumber(second))
  }
  return compare(operator, walkTree(left, variables), walkTree(right, variables))
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') throw new Refusal('type')
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(15)))
}

function lookup(table: unknown, key: string): unknown {
  if (typeof table !== 'object' || table === null) throw new Refusal('type')
  const entries = new Map(Object.entries(table))
  if (!entries.has(key)) throw new Refusal('unknown_key')
  return entries.get(key)
}

/** Runs steps one after the other; undefined when none returned. */
export function walkSteps(steps: readonly TreeStep[], variables: Variables): unknown {
  for (const step of steps) {
    switch (step.op) {
      case 'math':
        variables.set(step.output, toNumber(walkTree(step.tree, variables)) + 0)
        break
      case 'lookup':
        variables.set(step.output, lookup(readVariable(step.table, variables), step.key))
        break
      case 'format': {
        const parts = step.names.map((name) => `${name}=${textOf(readVariable(name, variables))}`)
        variables.set(step.output, parts.join(', '))
        break
      }
      case 'condition': {
        const value = walkTree(step.tree, variables)
        const test = 'name' in step.tree ? Boolean(value) : toBoolean(value)
        const result = walkSteps(test ? step.then : step.else, variables)
        if (result !== undefined) return result
        break
      }
      case 'return':
        return readVariable(step.value, variables)
    }
  }
  return undefined
}
