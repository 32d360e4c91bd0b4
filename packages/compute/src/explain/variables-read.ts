import { type Expression, partsOf } from '../language/expression.ts'
import type { ProgramStep, Template } from '../language/program.ts'

const inTemplate = ({ parts }: Template): Expression[] => parts.map(({ expression }) => expression)

/** The expressions a step evaluates itself, in reading order; those of steps inside it are not its own. */
function expressionsOf(step: ProgramStep): readonly Expression[] {
  switch (step.op) {
    case 'math':
    case 'set':
      return [step.value.expression]
    case 'lookup':
      return step.keyFrom === undefined ? [] : [step.keyFrom.expression]
    case 'format':
      return inTemplate(step.template)
    case 'condition':
    case 'switch':
      return step.cases.map(({ test }) => test.expression)
    case 'fold':
      return [step.list.expression, step.init.expression, step.value.expression]
    case 'sort':
      return [step.list.expression, ...(step.by === undefined ? [] : [step.by.expression])]
    case 'check':
      return [step.that.expression, ...inTemplate(step.message)]
    default: {
      const values = step.value === undefined ? step.fields.map(({ value }) => value) : [step.value]
      return values.map(({ expression }) => expression)
    }
  }
}

function addSlots(expression: Expression, slots: Set<number>): void {
  if (expression.kind === 'variable') slots.add(expression.slot)
  for (const part of partsOf(expression)) addSlots(part, slots)
}

/** The slots of the variables that a step may read. Names that it gives to items itself have no value when it begins. */
export function variablesRead(step: ProgramStep): ReadonlySet<number> {
  const slots = new Set<number>()
  if (step.op === 'lookup') slots.add(step.table.slot)
  for (const expression of expressionsOf(step)) addSlots(expression, slots)
  return slots
}
