import { describe, expect, it } from 'vitest'
import { type ComputeLogic, evaluateComputeDSL } from './index.ts'

describe('evaluateComputeDSL', () => {
  it('runs a program in one call', () => {
    expect(evaluateComputeDSL({ steps: [{ op: 'return', value: 'a' }] }, { a: 1 })).toBe(1)
  })

  it('runs the program as it is now, also when the object was changed since the last call', () => {
    const step: { op: 'return'; value: string } = { op: 'return', value: 'a' }
    const logic = { steps: [step] }
    const args = { a: 1, b: 2 }
    expect(evaluateComputeDSL(logic, args)).toBe(1)
    step.value = 'b'
    expect(evaluateComputeDSL(logic, args)).toBe(2)
    logic.steps.unshift({ op: 'return', value: 'a' })
    expect(evaluateComputeDSL(logic, args)).toBe(1)
    Object.assign(logic, { extra: true })
    expect(() => evaluateComputeDSL(logic, args)).toThrow('no field "extra"')
  })

  it('takes the options of each call', () => {
    const logic: ComputeLogic = { steps: [{ op: 'return', value: 'a' }] }
    expect(evaluateComputeDSL(logic, { a: 1 })).toBe(1)
    expect(() => evaluateComputeDSL(logic, { a: 1 }, { inputs: ['b'] })).toThrow('unknown variable')
  })
})
