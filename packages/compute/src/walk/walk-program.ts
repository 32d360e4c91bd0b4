import { errorAt, errorOf } from '../language/compute-issue.ts'
import { expressionSize } from '../language/expression.ts'
import type {
  BranchProgramStep,
  FoldProgramStep,
  LookupProgramStep,
  Program,
  ProgramStep,
  ReturnProgramStep,
  SitedExpression,
  SortProgramStep,
  Template,
} from '../language/program.ts'
import { valueTypes } from '../language/value-type.ts'
import { Decimal } from '../values/decimal.ts'
import { checkMade } from '../values/text-functions.ts'
import { textOf } from './calculate.ts'
import { ExpressionWalker } from './evaluate-expression.ts'
import { finishResult, settleResult } from './finish-result.ts'
import { findEntry, makeArray, readEntry, readItem, readItems } from './read-data.ts'
import { sortUnits } from './run-budget.ts'
import { atPlace, type Numeric, Run } from './run.ts'
import { sortItems } from './sort-items.ts'

const { number, string, boolean, array, object } = valueTypes
const printable = number | string | boolean

/** Is told what a run does, step by step. */
export interface WalkObserver {
  /** Before a step. `frame` has the variables by slot, and must not be changed. */
  enter(step: ProgramStep, run: Run): void
  /** After a step that assigned or returned a value or held, or once a step has chosen its branch. */
  leave(step: ProgramStep, outcome: StepOutcome): void
}

/** What a step came to. */
export interface StepOutcome {
  /** What it assigned or returned. */
  readonly value?: unknown
  /** Path of the steps that run next, such as `steps[1].then`; undefined if none do. */
  readonly branch?: string | undefined
}

type LeafStep = Exclude<ProgramStep, BranchProgramStep>

/** Runs the steps of a program one after the other. The reader bounds how deep they are. */
class StepWalker {
  readonly #run: Run
  readonly #observer: WalkObserver | undefined

  constructor(run: Run, observer: WalkObserver | undefined) {
    this.#run = run
    this.#observer = observer
  }

  /** Runs steps up to a return. Gives what it returns, in an object, or undefined. */
  list(steps: readonly ProgramStep[]): { readonly value: unknown } | undefined {
    for (const step of steps) {
      this.#observer?.enter(step, this.#run)
      if ('cases' in step) {
        const { branch, next } = this.#choose(step)
        this.#observer?.leave(step, { branch })
        const returned = this.list(next)
        if (returned !== undefined) return returned
        continue
      }
      const value = this.#value(step)
      if ('output' in step) this.#run.frame[step.output] = value
      this.#observer?.leave(step, step.op === 'check' ? {} : { value })
      if (step.op === 'return') return { value }
    }
    return undefined
  }

  /** What a step assigns or returns. */
  #value(step: LeafStep): unknown {
    switch (step.op) {
      case 'math':
      case 'set': {
        const value = this.#evaluate(step.value)
        return step.op === 'set' ? value : this.#typed(value, number, step.value)
      }
      case 'lookup':
        return this.#lookup(step)
      case 'format':
        return this.#fill(step.template)
      case 'fold':
        return this.#fold(step)
      case 'sort':
        return this.#sort(step)
      case 'check': {
        const { site, expression } = step.that
        if (this.#boolean(step.that)) return undefined
        throw errorAt(site, expression.offset, {
          code: 'check_failed',
          message: this.#fill(step.message),
          hint: 'The program refuses these arguments; change them so that the check holds.',
        })
      }
      default:
        return this.#return(step)
    }
  }

  #at({ site }: SitedExpression): ExpressionWalker {
    return new ExpressionWalker(this.#run, site)
  }

  #evaluate(sited: SitedExpression): unknown {
    return this.#at(sited).value(sited.expression)
  }

  #boolean(sited: SitedExpression): boolean {
    return this.#at(sited).boolean(sited.expression)
  }

  #truth(sited: SitedExpression): boolean {
    const value = this.#evaluate(sited)
    return this.#at(sited).at(sited.expression, () => isTruthy(value))
  }

  #typed(value: unknown, wanted: number, sited: SitedExpression): unknown {
    return this.#at(sited).typed(value, wanted, sited.expression)
  }

  #choose({ op, path, cases, truthy, else: otherwise }: BranchProgramStep): {
    readonly branch: string | undefined
    readonly next: readonly ProgramStep[]
  } {
    for (const [index, { test, then }] of cases.entries()) {
      if (!(truthy ? this.#truth(test) : this.#boolean(test))) continue
      return {
        branch: op === 'switch' ? `${path}.cases[${index}].then` : `${path}.then`,
        next: then,
      }
    }
    return { branch: otherwise.length > 0 ? `${path}.else` : undefined, next: otherwise }
  }

  #lookup({ table, key, keyFrom, default: fallback }: LookupProgramStep): unknown {
    const variable: SitedExpression = {
      site: table.site,
      expression: { kind: 'variable', slot: table.slot, offset: 0 },
    }
    const holder = this.#typed(this.#evaluate(variable), array | object, variable) as object
    let wanted = key?.text as string | Numeric
    if (keyFrom !== undefined) {
      const types = Array.isArray(holder) ? number | string : string
      wanted = this.#typed(this.#evaluate(keyFrom), types, keyFrom) as string | Numeric
    }
    return atPlace(keyFrom?.site ?? key ?? table.site, keyFrom?.expression.offset ?? 0, () =>
      fallback === undefined
        ? readEntry(this.#run, holder, wanted)
        : (findEntry(this.#run, holder, wanted) ?? fallback),
    )
  }

  #fill({ site, leading, parts }: Template): string {
    const walker = new ExpressionWalker(this.#run, site)
    const { budget, program } = this.#run
    let text = leading
    const check = (): void => checkMade(text.length, program.limits.maxTextLength)
    for (const { expression, following } of parts) {
      const value = walker.typed(walker.value(expression), printable, expression)
      text += textOf(value, program.decimal) + following
      walker.at(expression, check)
    }
    atPlace(site, 0, () => {
      check()
      budget.charge(text.length)
    })
    return text
  }

  #fold({ list, as, acc, init, value }: FoldProgramStep): unknown {
    const { frame, budget } = this.#run
    const walker = this.#at(list)
    const { items, length } = walker.list(list.expression)
    walker.at(list.expression, () => budget.charge(length * (1 + expressionSize(value.expression))))
    let carried = this.#evaluate(init)
    const body = this.#at(value)
    for (let index = 0; index < length; index++) {
      frame[as] = walker.at(list.expression, () => readItem(this.#run, items, index))
      frame[acc] = carried
      carried = body.value(value.expression)
    }
    frame[as] = undefined
    frame[acc] = undefined
    return carried
  }

  #sort({ list, as, by, desc }: SortProgramStep): unknown {
    const { frame, budget } = this.#run
    const walker = this.#at(list)
    const { items: given, length } = walker.list(list.expression)
    const size = by === undefined ? 0 : expressionSize(by.expression)
    walker.at(list.expression, () => budget.charge(length * (1 + size) + sortUnits(length)))
    const items = walker.at(list.expression, () => readItems(this.#run, given))
    let keys = items
    if (by !== undefined) {
      const body = this.#at(by)
      keys = items.map((item) => {
        frame[as] = item
        return body.value(by.expression)
      })
      frame[as] = undefined
    }
    const place = by ?? list
    return this.#at(place).at(place.expression, () =>
      makeArray(this.#run, sortItems(items, keys, { descending: desc, budget })),
    )
  }

  #return({ path, value, fields }: ReturnProgramStep): unknown {
    const settled = (sited: SitedExpression): unknown => {
      const result = this.#evaluate(sited)
      return this.#at(sited).at(sited.expression, () => settleResult(this.#run, result))
    }
    if (value !== undefined) return finishResult(this.#run, settled(value), value.site.path)
    // Not by assignment, which a setter of Object.prototype would hear of.
    const result = Object.fromEntries(fields.map((field) => [field.name, settled(field.value)]))
    return finishResult(this.#run, result, `${path}.fields`)
  }
}

/** Truth of a bare variable: false, 0, the empty string and null are false. */
function isTruthy(value: unknown): boolean {
  return Boolean(value instanceof Decimal ? value.mantissa : value)
}

/**
 * Runs a program by walking its tree: slow, plain, and with exact errors. It says what the language means; the
 * engine is compared with it.
 *
 * @param program - a checked program
 * @param frame - the variables, as `loadArguments` gives them; changed by the run
 * @param observer - is told about each step
 * @returns plain JSON data of its own
 * @throws {ComputeError} every code of a run
 */
export function walkProgram(program: Program, frame: unknown[], observer?: WalkObserver): unknown {
  const returned = new StepWalker(new Run(program, frame), observer).list(program.steps)
  if (returned !== undefined) return returned.value
  throw errorOf('steps', {
    code: 'no_return',
    message: 'the program ended without a return step',
    hint: 'End every way through the program with { "op": "return", "value": "…" }.',
  })
}
