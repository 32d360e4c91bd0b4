import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { evaluateComputeDSL, type ComputeLogic } from '../src/index.ts'

describe('data from another realm, such as an iframe', () => {
  it('is taken as the plain data it is, program and arguments alike', () => {
    const logic = runInNewContext(
      `({ steps: [{ op: 'lookup', table: 't', key: 'a', output: 'x' }, { op: 'return', value: 'x' }] })`,
    ) as ComputeLogic
    const args = runInNewContext(`({ t: { a: [1, { b: 2 }] } })`) as Record<string, unknown>
    expect(evaluateComputeDSL(logic, args)).toEqual([1, { b: 2 }])
  })
})
