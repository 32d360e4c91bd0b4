import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import type { ComputeLogic, ComputeStep } from '../language/compute-logic.ts'
import { checkLogic } from './check-logic.ts'
import type { FlatCompute, FlatStep } from './flat-compute.ts'
import { flattenDeclaration } from './flat-declarations.ts'
import { extendFlatPath } from './flat-path.ts'

/** Numbers steps in reading order and writes each one behind the step it is inside of. */
class StepFlattener {
  readonly steps: FlatStep[] = []

  add(steps: readonly ComputeStep[], list: string): void {
    for (const step of steps) this.#addStep(step, { id: `s${this.steps.length + 1}`, in: list })
  }

  #addStep(step: ComputeStep, place: { readonly id: string; readonly in: string }): void {
    const { id } = place
    switch (step.op) {
      case 'lookup': {
        const { key = '', keyFrom = '', default: fallback } = step
        const text = fallback === undefined ? '' : JSON.stringify(fallback)
        this.steps.push({ ...place, ...step, key, keyFrom, default: text })
        return
      }
      case 'condition':
        this.steps.push({ ...place, op: step.op, if: step.if })
        this.add(step.then, `${id}.then`)
        this.add(step.else ?? [], `${id}.else`)
        return
      case 'switch':
        this.steps.push({ ...place, op: step.op, cases: step.cases.map(({ when }) => ({ when })) })
        for (const [index, { then }] of step.cases.entries())
          this.add(then, `${id}.cases[${index}]`)
        this.add(step.else ?? [], `${id}.else`)
        return
      case 'sort': {
        const { as = '', by = '', desc = false } = step
        this.steps.push({ ...place, ...step, as, by, desc })
        return
      }
      case 'return': {
        const { value = '', fields = {} } = step
        const list = Object.entries(fields).map(([name, text]) => ({ name, value: text }))
        this.steps.push({ ...place, op: step.op, value, fields: list })
        return
      }
      default:
        this.steps.push({ ...place, ...step })
    }
  }
}

/**
 * The flat form of a program. `fromFlatCompute` gives the same program back, without what says nothing: an empty
 * description, an empty `else`, `inputs` or `tables`, `desc: false`, and `numbers` and `rounding` that are the default.
 *
 * @throws {ComputeError} with every problem, for a program that is not sound
 */
export function toFlatCompute(given: ComputeLogic): FlatCompute {
  const { logic, errors } = checkLogic(given)
  if (logic === undefined) {
    throw new ComputeError(errors as readonly [ComputeIssue, ...ComputeIssue[]])
  }
  const { description = '', numbers = 'float', rounding = 'half_up', output } = logic
  const flattener = new StepFlattener()
  flattener.add(logic.steps, '')
  return {
    description,
    numbers,
    rounding,
    declarations: [
      ...Object.entries(logic.inputs ?? {}).flatMap(([field, declaration]) =>
        flattenDeclaration(extendFlatPath('inputs', { field }), declaration),
      ),
      ...(output === undefined ? [] : flattenDeclaration('output', output)),
    ],
    tables: Object.entries(logic.tables ?? {}).map(([name, value]) => ({
      name,
      json: JSON.stringify(value),
    })),
    steps: flattener.steps,
  }
}
