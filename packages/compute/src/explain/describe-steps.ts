import type {
  BranchProgramStep,
  FoldProgramStep,
  LookupProgramStep,
  Program,
  ProgramStep,
  ReturnProgramStep,
  SortProgramStep,
} from '../language/program.ts'
import { ExpressionDescriber } from './describe-expression.ts'
import type { ExplanationLine } from './explanation-line.ts'
import { showQuoted, showText } from './show-text.ts'
import { valueText } from './value-text.ts'

/** Says the steps of a program in sentences. */
export class StepDescriber {
  readonly #names: readonly string[]
  readonly #expressions: ExpressionDescriber

  constructor({ names }: Program) {
    this.#names = names
    this.#expressions = new ExpressionDescriber(names)
  }

  /**
   * Every line of some steps.
   *
   * @yields the lines in reading order
   */
  *lines(steps: readonly ProgramStep[], depth: number): Generator<ExplanationLine, void> {
    for (const step of steps) {
      if ('cases' in step) yield* this.#branches(step, depth)
      else {
        yield {
          path: step.path,
          depth,
          sentence: this.sentence(step),
          subject: this.#subject(step),
        }
        if (step.op === 'return') yield* this.#fields(step, depth + 1)
      }
    }
  }

  /** One sentence about a step, without what is inside it. */
  sentence(step: ProgramStep): string {
    switch (step.op) {
      case 'math':
      case 'set':
        return `${this.#set(step)} to ${this.#expressions.value(step.value)}.`
      case 'lookup':
        return this.#lookup(step)
      case 'format':
        return `${this.#set(step)} to the text ${showQuoted(step.template.site.text)}.`
      case 'condition':
        return this.#if('If', step, 0)
      case 'switch':
        return 'Take the first of these cases that is true:'
      case 'fold':
        return this.#fold(step)
      case 'sort':
        return this.#sort(step)
      case 'check': {
        const message = showQuoted(step.message.site.text)
        return `Stop with the error ${message} unless ${this.#expressions.test(step.that)}.`
      }
      default:
        return step.value === undefined
          ? 'Give back an object and end:'
          : `Give back ${this.#expressions.value(step.value)} and end.`
    }
  }

  #subject(step: ProgramStep): string {
    return 'output' in step ? `${step.op} ${this.#name(step.output)}` : step.op
  }

  #name(slot: number): string {
    return this.#names[slot] ?? ''
  }

  #set({ output }: { readonly output: number }): string {
    return `Set ${this.#name(output)}`
  }

  #if(word: string, { cases, truthy }: BranchProgramStep, index: number): string {
    const test = cases[index]?.test
    return test === undefined ? '' : `${word} ${this.#expressions.test(test, truthy)}, then:`
  }

  #lookup(step: LookupProgramStep): string {
    const { table, key, keyFrom, default: fallback } = step
    const entry =
      keyFrom === undefined
        ? `the entry ${showQuoted(key?.text ?? '')} of ${table.site.text}`
        : `the entry of ${table.site.text} whose key is ${this.#expressions.value(keyFrom)}`
    const otherwise =
      fallback === undefined ? '' : `, or to ${valueText(fallback)} if there is none`
    return `${this.#set(step)} to ${entry}${otherwise}.`
  }

  #fold(step: FoldProgramStep): string {
    const [list, init, value] = [step.list, step.init, step.value].map((part) =>
      this.#expressions.value(part),
    )
    const [as, acc] = [this.#name(step.as), this.#name(step.acc)]
    return `${this.#set(step)} by going through ${list}: ${acc} starts as ${init} and for each item, called ${as}, becomes ${value}.`
  }

  #sort(step: SortProgramStep): string {
    const { list, as, by, desc } = step
    const order = desc ? 'largest first' : 'smallest first'
    const key =
      by === undefined
        ? ''
        : `, by ${this.#expressions.value(by)} of each item, called ${this.#name(as)}`
    return `${this.#set(step)} to the items of ${this.#expressions.value(list)} in order, ${order}${key}.`
  }

  *#fields({ fields }: ReturnProgramStep, depth: number): Generator<ExplanationLine, void> {
    for (const { name, value } of fields) {
      const sentence = `Field ${showQuoted(name)} is ${this.#expressions.value(value)}.`
      yield { path: value.site.path, depth, sentence, subject: `return ${showText(name)}` }
    }
  }

  *#branches(step: BranchProgramStep, depth: number): Generator<ExplanationLine, void> {
    const { op, path, cases, else: otherwise } = step
    for (const [index, { then }] of cases.entries()) {
      const isSwitch = op === 'switch'
      yield {
        path: isSwitch ? `${path}.cases[${index}]` : path,
        depth,
        sentence: this.#if(index === 0 ? 'If' : 'Otherwise, if', step, index),
        subject: isSwitch ? 'case' : op,
      }
      yield* this.#inside(
        then,
        isSwitch ? `${path}.cases[${index}].then` : `${path}.then`,
        depth + 1,
      )
    }
    if (otherwise.length === 0) return
    yield { path: `${path}.else`, depth, sentence: 'Otherwise:', subject: 'otherwise' }
    yield* this.#inside(otherwise, `${path}.else`, depth + 1)
  }

  *#inside(
    steps: readonly ProgramStep[],
    path: string,
    depth: number,
  ): Generator<ExplanationLine, void> {
    if (steps.length === 0) yield { path, depth, sentence: 'Do nothing.', subject: 'nothing' }
    yield* this.lines(steps, depth)
  }
}
