import { type CodeContext, compileNumber, compileTest, type Frame } from './compile-expression.ts'
import type { ComputeError } from './compute-error.ts'
import { errorAt, errorOf, type Site } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import { checkValue, copyValue, describeType, hostReadError } from './json-value.ts'
import { reportUnassigned } from './load-arguments.ts'
import { escapedCandidates, suggestName } from './nearest-name.ts'
import { numberToText } from './number-text.ts'
import type { Program, ProgramStep, VariableReference } from './program.ts'
import { escapeText, quoteText } from './quote-text.ts'

/** Runs some steps. Gives the returned value, or undefined when they end without a return. */
export type StepCode = (frame: Frame) => unknown

type StepOf<Operation extends ProgramStep['op']> = ProgramStep & { readonly op: Operation }

/** Own index or key of a table, or undefined. A list has its items only, not its length. */
function readEntry(table: object, key: string): unknown {
  if (!Array.isArray(table)) {
    return Object.hasOwn(table, key) ? (table as Record<string, unknown>)[key] : undefined
  }
  const index = Number(key)
  if (!Number.isInteger(index) || String(index) !== key) return undefined
  return Object.hasOwn(table, index) ? (table as unknown[])[index] : undefined
}

function missingKey(table: object, key: Site, label: string): ComputeError {
  const otherwise = Array.isArray(table)
    ? `The list has ${table.length} items, counted from 0.`
    : 'Use one of its own keys.'
  const keys = Array.isArray(table) ? [] : Object.keys(table)
  return errorOf(key.path, {
    code: 'unknown_key',
    message: `${label} has no key ${quoteText(key.text)}`,
    hint: suggestName(key.text, escapedCandidates(keys), otherwise),
  })
}

class StepCompiler {
  readonly #names: readonly string[]
  readonly #limits: ComputeLimits
  readonly #unassigned: CodeContext['unassigned']

  constructor({ names, limits }: Program) {
    this.#names = names
    this.#limits = limits
    this.#unassigned = reportUnassigned(names)
  }

  list(steps: readonly ProgramStep[]): StepCode {
    const codes = steps.map((step) => this.#step(step))
    return (frame) => {
      for (const code of codes) {
        const value = code(frame)
        if (value !== undefined) return value
      }
      return undefined
    }
  }

  #step(step: ProgramStep): StepCode {
    switch (step.op) {
      case 'math':
        return this.#math(step)
      case 'lookup':
        return this.#lookup(step)
      case 'format':
        return this.#format(step)
      case 'condition':
        return this.#condition(step)
      default:
        return this.#return(step)
    }
  }

  #context(site: Site): CodeContext {
    return { site, unassigned: this.#unassigned }
  }

  #read({ site, slot }: VariableReference): (frame: Frame) => unknown {
    return (frame) => {
      const value = frame[slot]
      if (value !== undefined) return value
      throw this.#unassigned(slot, frame, { site, offset: 0 })
    }
  }

  #math({ site, expression, output }: StepOf<'math'>): StepCode {
    const code = compileNumber(expression, this.#context(site))
    return (frame) => {
      // Adding 0 turns negative zero into zero.
      frame[output] = code(frame) + 0
      return undefined
    }
  }

  #lookup({ table, key, output }: StepOf<'lookup'>): StepCode {
    const readTable = this.#read(table)
    const tableName = table.site.text
    const origin = {
      path: key.path,
      label: `${tableName}.${escapeText(key.text.slice(0, 40))}`,
      limits: this.#limits,
    }
    return (frame) => {
      const value = readTable(frame)
      if (typeof value !== 'object' || value === null) {
        throw errorAt(table.site, 0, {
          code: 'type',
          message: `${quoteText(tableName)} is ${describeType(value)}, a lookup needs an object or a list`,
          hint: 'Pass a table such as { "small": 1, "large": 2 }.',
        })
      }
      try {
        const entry = readEntry(value, key.text)
        if (entry === undefined) throw missingKey(value, key, quoteText(tableName))
        frame[output] = checkValue(entry, origin)
      } catch (error) {
        throw hostReadError(error, key.path, 'bad_argument')
      }
      return undefined
    }
  }

  #format({ site, template, output }: StepOf<'format'>): StepCode {
    const { leading, parts } = template
    const { maxTextLength } = this.#limits
    return (frame) => {
      let text = leading
      for (const { slot, offset, following } of parts) {
        text += this.#textOf(slot, frame, { site, offset })
        text += following
        if (text.length > maxTextLength) break
      }
      if (text.length > maxTextLength) {
        throw errorOf(site.path, {
          code: 'limit',
          message: `the text has grown over ${maxTextLength} characters`,
          hint: 'Make a shorter text, or raise maxTextLength.',
        })
      }
      frame[output] = text
      return undefined
    }
  }

  #textOf(slot: number, frame: Frame, place: { site: Site; offset: number }): string {
    const value = frame[slot]
    if (typeof value === 'string') return value
    if (typeof value === 'number') return numberToText(value)
    if (typeof value === 'boolean') return value ? 'true' : 'false'
    if (value === undefined) throw this.#unassigned(slot, frame, place)
    throw errorAt(place.site, place.offset, {
      code: 'type',
      message: `${quoteText(this.#names[slot] ?? '')} is ${describeType(value)}, which has no text`,
      hint: 'Put texts, numbers, true and false into a template.',
    })
  }

  #condition(step: StepOf<'condition'>): StepCode {
    const test = compileTest(step.test, this.#context(step.site))
    const then = this.list(step.then)
    const otherwise = this.list(step.else)
    return (frame) => (test(frame) ? then(frame) : otherwise(frame))
  }

  #return({ value }: StepOf<'return'>): StepCode {
    const read = this.#read(value)
    const origin = { path: value.site.path, label: value.site.text, limits: this.#limits }
    return (frame) => {
      const result = read(frame)
      return typeof result === 'object' && result !== null ? copyValue(result, origin) : result
    }
  }
}

/** Turns a program into closures: the names are slots and no text is parsed when it runs. */
export function compileSteps(program: Program): StepCode {
  return new StepCompiler(program).list(program.steps)
}
