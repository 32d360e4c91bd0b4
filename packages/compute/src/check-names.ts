import { type IssueCollector, issueAt, type Site } from './compute-issue.ts'
import { type Expression, visitVariables } from './expression.ts'
import { suggestName } from './nearest-name.ts'
import type { ProgramStep } from './program.ts'
import { quoteText } from './quote-text.ts'

/** What the names of a program say about it. */
export interface NameReport {
  /** Slots that may be read before a step has assigned them, so their values come from the arguments. */
  readonly inputSlots: readonly number[]
  /** Whether every way through the program ends in a return. */
  readonly alwaysReturns: boolean
}

/** What is known about the caller's arguments. */
export interface NameContext {
  readonly names: readonly string[]
  /** Names of the arguments, or undefined where the caller has not said. */
  readonly inputs: ReadonlySet<string> | undefined
  readonly collector: IssueCollector
}

class NameChecker {
  readonly #context: NameContext
  readonly #inputSlots = new Set<number>()
  readonly #assignedSomewhere = new Set<number>()

  constructor(context: NameContext) {
    this.#context = context
  }

  check(steps: readonly ProgramStep[]): NameReport {
    const alwaysReturns = this.#walk(steps, new Set())
    return { inputSlots: [...this.#inputSlots], alwaysReturns }
  }

  /** Adds what the steps assign to `assigned`; tells whether they always return. */
  #walk(steps: readonly ProgramStep[], assigned: Set<number>): boolean {
    let returns = false
    for (const step of steps) {
      if (this.#step(step, assigned)) returns = true
    }
    return returns
  }

  #step(step: ProgramStep, assigned: Set<number>): boolean {
    switch (step.op) {
      case 'math':
        this.#readAll(step.expression, step.site, assigned)
        break
      case 'lookup':
        this.#read(step.table.slot, { site: step.table.site, offset: 0 }, assigned)
        break
      case 'format':
        for (const part of step.template.parts) {
          this.#read(part.slot, { site: step.site, offset: part.offset }, assigned)
        }
        break
      case 'condition':
        return this.#branch(step, assigned)
      case 'return':
        this.#read(step.value.slot, { site: step.value.site, offset: 0 }, assigned)
        return true
    }
    assigned.add(step.output)
    this.#assignedSomewhere.add(step.output)
    return false
  }

  #branch(step: ProgramStep & { readonly op: 'condition' }, assigned: Set<number>): boolean {
    this.#readAll(step.test, step.site, assigned)
    const inThen = new Set(assigned)
    const inElse = new Set(assigned)
    const thenReturns = this.#walk(step.then, inThen)
    const elseReturns = this.#walk(step.else, inElse)
    // A branch that returns says nothing about what is assigned after the condition.
    for (const slot of thenReturns ? inElse : inThen) {
      if (elseReturns || inElse.has(slot)) assigned.add(slot)
    }
    return thenReturns && elseReturns
  }

  #readAll(expression: Expression, site: Site, assigned: ReadonlySet<number>): void {
    visitVariables(expression, (slot, offset) => {
      this.#read(slot, { site, offset }, assigned)
    })
  }

  #read(
    slot: number,
    { site, offset }: { readonly site: Site; readonly offset: number },
    assigned: ReadonlySet<number>,
  ): void {
    if (assigned.has(slot)) return
    this.#inputSlots.add(slot)
    const { names, inputs, collector } = this.#context
    const name = names[slot] ?? ''
    if (inputs === undefined || inputs.has(name)) return
    const isPartial = this.#assignedSomewhere.has(slot)
    const known = [...inputs, ...[...assigned].map((index) => names[index] ?? '')]
    const list = known.length === 0 ? 'nothing' : known.slice(0, 20).join(', ')
    collector.add(
      issueAt(site, offset, {
        code: 'unknown_variable',
        message: isPartial
          ? `${quoteText(name)} may have no value here: not every way to this step assigns it`
          : `unknown variable ${quoteText(name)}`,
        hint: isPartial
          ? 'Assign it before the condition, or in both of its branches.'
          : suggestName(name, known, `Known here: ${list}.`),
      }),
    )
  }
}

/** Follows every way through the program and notes names that cannot have a value. */
export function checkNames(steps: readonly ProgramStep[], context: NameContext): NameReport {
  return new NameChecker(context).check(steps)
}
