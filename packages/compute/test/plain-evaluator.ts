import { isDeepStrictEqual } from 'node:util'
import type { ComputeLogic, ComputeStep } from '../src/index.ts'

/**
 * A second, deliberately plain implementation of a part of the language: a tree of plain objects is evaluated as it
 * stands, and its text is only made for the code under test. The two share no parser and no evaluator.
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

function toBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Refusal('type')
  return value
}

function arithmetic(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right
  if (operator === '+' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  if (typeof left !== 'number' || typeof right !== 'number') throw new Refusal('type')
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
  return result + 0
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '==') return isDeepStrictEqual(left, right)
  if (operator === '!=') return !isDeepStrictEqual(left, right)
  const ordered = ['number', 'string'].includes(typeof left) && typeof left === typeof right
  if (!ordered) throw new Refusal('type')
  const [first, second] = [left as number, right as number]
  return (
    { '<': first < second, '<=': first <= second, '>': first > second }[operator] ?? first >= second
  )
}

/** Evaluates a tree by walking it. */
function evaluateTree(tree: Tree, variables: Variables): unknown {
  if ('number' in tree) return tree.number + 0
  if ('text' in tree) return tree.text
  if ('boolean' in tree) return tree.boolean
  if ('name' in tree) return readVariable(tree.name, variables)
  if ('negated' in tree) return arithmetic('-', 0, evaluateTree(tree.negated, variables))
  if ('not' in tree) return !toBoolean(evaluateTree(tree.not, variables))
  const { operator, left, right } = tree
  if (operator === '&&' || operator === '||') {
    const first = toBoolean(evaluateTree(left, variables))
    if (first === (operator === '||')) return first
    return toBoolean(evaluateTree(right, variables))
  }
  const first = evaluateTree(left, variables)
  const second = evaluateTree(right, variables)
  return '+-*/%'.includes(operator)
    ? arithmetic(operator, first, second)
    : compare(operator, first, second)
}

/** A tree that has to be a number. */
export function evaluateNumber(tree: Tree, variables: Variables): number {
  const value = evaluateTree(tree, variables)
  if (typeof value !== 'number') throw new Refusal('type')
  return value
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
export function runTreeSteps(steps: readonly TreeStep[], variables: Variables): unknown {
  for (const step of steps) {
    switch (step.op) {
      case 'math':
        variables.set(step.output, evaluateNumber(step.tree, variables))
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
        const value = evaluateTree(step.tree, variables)
        const test = 'name' in step.tree ? Boolean(value) : toBoolean(value)
        const result = runTreeSteps(test ? step.then : step.else, variables)
        if (result !== undefined) return result
        break
      }
      case 'return':
        return readVariable(step.value, variables)
    }
  }
  return undefined
}
