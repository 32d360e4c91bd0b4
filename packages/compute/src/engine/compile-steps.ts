import { expressionSize } from '../language/expression.ts'
import type {
  BranchProgramStep,
  FoldProgramStep,
  LookupProgramStep,
  ProgramStep,
  ReturnProgramStep,
  SortProgramStep,
} from '../language/program.ts'
import { anyType, valueTypes } from '../language/value-type.ts'
import { finishResult, settleResult } from '../walk/finish-result.ts'
import {
  findEntry,
  lengthOf,
  makeArray,
  readEntry,
  readItem,
  readItems,
} from '../walk/read-data.ts'
import { sortUnits } from '../walk/run-budget.ts'
import { isNumeric, type Numeric } from '../walk/run.ts'
import { sortItems } from '../walk/sort-items.ts'
import { Decimal } from '../values/decimal.ts'
import { newLabel, operations as o } from './code-writer.ts'
import { ValueCompiler } from './compile-values.ts'
import * as frame from './frame.ts'
import type { ValueCode } from './machine.ts'

const { number, string } = valueTypes
// Constants of this module, as elsewhere in the engine.
const { giveUp, readSlot, writeSlot } = frame

type AssigningStep = Extract<ProgramStep, { readonly output: number }>

/** Writes the code of steps. */
export class StepCompiler extends ValueCompiler {
  /** Writes the whole program, which gives up where it ends without a return. */
  write(steps: readonly ProgramStep[], { inputs, outputs, copies }: SlotUse): void {
    // What a step assigns is known where it is assigned; arguments may be anything.
    for (const slot of outputs) if (!inputs.includes(slot)) this.masks[slot] = 0
    for (const { from, to } of copies) this.writer.emit(o.copy, to, from)
    this.#list(steps)
    this.writer.emit(o.fail)
    this.writeLater()
  }

  /**
   * Writes steps. `tail` is the variable that is returned right after them, or -1: a step that assigns it may return the
   * value instead.
   *
   * @returns whether the steps surely return
   */
  #list(steps: readonly ProgramStep[], tail = -1): boolean {
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1]
      const returned = next === undefined ? tail : slotReturnedBy(next)
      if (isBranch(step)) this.#branch(step, returned)
      else if (step.op === 'return') {
        this.#return(step)
        return true
      } else if (step.op === 'check') {
        const holds = newLabel()
        this.condition(step.that.expression, true, holds)
        this.writer.emit(o.fail)
        this.writer.place(holds)
      } else {
        this.#assign(step, step.output === returned)
        if (step.output === returned) return true
      }
    }
    return false
  }

  /** Assigns what a step gives, or returns it. */
  #assign(step: AssigningStep, returns: boolean): void {
    const { writer, masks } = this
    const { output } = step
    let code: ValueCode
    let mask = anyType
    if (step.op === 'math' || step.op === 'set') {
      const { expression } = step.value
      const isNumber = step.op === 'math' || this.isNumber(expression)
      if (isNumber && !this.program.decimal && (!returns || this.program.output === undefined)) {
        this.number(expression)
        if (returns) writer.emit(o.returnNumber)
        else writer.store(output)
        masks[output] = (masks[output] ?? 0) | number
        return
      }
      const value = this.value(expression)
      code = step.op === 'set' ? value : () => requireNumber(value())
      mask = isNumber ? number : expression.kind === 'string' ? string : anyType
    } else if (step.op === 'format') {
      code = this.template(step.template)
      mask = string
    } else {
      code =
        step.op === 'lookup'
          ? this.#lookup(step)
          : step.op === 'fold'
            ? this.#fold(step)
            : this.#sort(step as SortProgramStep)
    }
    if (returns) return this.#finish(code)
    writer.emit(o.assign, output, writer.pooled(code))
    masks[output] = (masks[output] ?? 0) | mask
  }

  #branch({ cases, truthy, else: otherwise }: BranchProgramStep, tail: number): void {
    const { writer } = this
    const end = newLabel()
    for (const { test, then } of cases) {
      const next = newLabel()
      const { expression } = test
      if (truthy && expression.kind === 'variable') {
        writer.emit(o.test, writer.pooled(truthOf(expression.slot)))
        writer.target(next)
      } else this.condition(expression, false, next)
      if (!this.#list(then, tail)) writer.jump(end)
      writer.place(next)
    }
    this.#list(otherwise, tail)
    writer.place(end)
  }

  #lookup({ table, key, keyFrom, default: fallback }: LookupProgramStep): ValueCode {
    const { run } = this
    const { slot } = table
    const text = key?.text ?? ''
    const from = keyFrom === undefined ? () => text : this.value(keyFrom.expression)
    const isLiteral = keyFrom === undefined
    return () => {
      const holder = readSlot(slot)
      if (typeof holder !== 'object' || holder === null || isNumeric(holder)) return giveUp('type')
      const wanted = from() as string | Numeric
      const isName = typeof wanted === 'string'
      if (!isLiteral && !isName && !(Array.isArray(holder) && isNumeric(wanted)))
        return giveUp('type')
      return fallback === undefined
        ? readEntry(run, holder, wanted)
        : (findEntry(run, holder, wanted) ?? fallback)
    }
  }

  #fold({ list, as, acc, init, value }: FoldProgramStep): ValueCode {
    const { run } = this
    const from = this.value(list.expression)
    const first = this.value(init.expression)
    const next = this.value(value.expression)
    const size = 1 + expressionSize(value.expression)
    return () => {
      const items = from()
      if (!Array.isArray(items)) return giveUp('type')
      const length = lengthOf(items, run.program.limits)
      run.budget.charge(length * size)
      let carried = first()
      for (let index = 0; index < length; index++) {
        writeSlot(as, readItem(run, items, index))
        writeSlot(acc, carried)
        carried = next()
      }
      return carried
    }
  }

  #sort({ list, as, by, desc }: SortProgramStep): ValueCode {
    const { run } = this
    const from = this.value(list.expression)
    const key = by && this.value(by.expression)
    const size = by === undefined ? 1 : 1 + expressionSize(by.expression)
    return () => {
      const given = from()
      if (!Array.isArray(given)) return giveUp('type')
      const length = lengthOf(given, run.program.limits)
      run.budget.charge(length * size + sortUnits(length))
      const items = readItems(run, given)
      const keys =
        key === undefined
          ? items
          : items.map((item) => {
              writeSlot(as, item)
              return key()
            })
      return makeArray(run, sortItems(items, keys, { descending: desc, budget: run.budget }))
    }
  }

  #return({ value, fields }: ReturnProgramStep): void {
    const { writer, run } = this
    const { output, decimal } = this.program
    if (value !== undefined) {
      const { expression } = value
      if (output === undefined && !decimal && this.isNumber(expression)) {
        if (expression.kind === 'variable') return writer.emit(o.returnSlot, expression.slot)
        this.number(expression)
        return writer.emit(o.returnNumber)
      }
      const code = this.value(expression)
      return this.#finish(code)
    }
    const codes = fields.map((field) => ({
      name: field.name,
      code: this.value(field.value.expression),
    }))
    // Not by assignment, which would call a setter that Object.prototype was given.
    this.#finish(() =>
      Object.fromEntries(codes.map(({ name, code }) => [name, settleResult(run, code())])),
    )
  }

  #finish(code: ValueCode): void {
    const { run } = this
    const isPlain = run.program.output === undefined
    const most = run.program.limits.maxTextLength
    const finish = (): unknown => {
      const value = code()
      const isShort = typeof value === 'string' ? value.length <= most : typeof value !== 'object'
      return isPlain && isShort ? value : finishResult(run, settleResult(run, value), '')
    }
    this.writer.emit(o.returnValue, this.writer.pooled(finish))
  }
}

const requireNumber = (value: unknown): Numeric => (isNumeric(value) ? value : giveUp('type'))

const slotReturnedBy = (step: ProgramStep): number =>
  step.op === 'return' && step.value?.expression.kind === 'variable'
    ? step.value.expression.slot
    : -1

/** Truth of a bare variable: false, 0, the empty string and null are false. */
const truthOf = (slot: number) => (): boolean => {
  const value = readSlot(slot)
  return Boolean(value instanceof Decimal ? value.mantissa : value)
}

/** Which slots a program uses for what. */
export interface SlotUse {
  /** Arguments. */
  readonly inputs: readonly number[]
  /** What steps assign. */
  readonly outputs: ReadonlySet<number>
  /** Arguments that steps assign: they are loaded elsewhere, so that they can be had again. */
  readonly copies: readonly { readonly from: number; readonly to: number }[]
}

/** Notes the slots that steps assign. */
export function noteOutputs(steps: readonly ProgramStep[], found: Set<number>): void {
  for (const step of steps) {
    if (isBranch(step)) {
      for (const { then } of step.cases) noteOutputs(then, found)
      noteOutputs(step.else, found)
    } else if (step.op !== 'check' && step.op !== 'return') found.add(step.output)
  }
}

/** Quicker than looking for a field. */
const isBranch = (step: ProgramStep): step is BranchProgramStep =>
  step.op === 'condition' || step.op === 'switch'
