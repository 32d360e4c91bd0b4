import { describe, expect, it } from 'vitest'
import leftOut from '../test-cases/left-out.json' with { type: 'json' }
import { runSuiteCase, type SuiteCase, suites } from './suite-runner.ts'

describe.each(suites)('$suite ($license)', ({ cases }) => {
  it.each(cases)('$id: $expression', (suiteCase) => {
    const { outcome, wanted } = runSuiteCase(suiteCase)
    expect(outcome).toEqual(wanted)
  })
})

describe('cases left out', () => {
  const cases: readonly (SuiteCase & { reason: string })[] = leftOut.cases

  it('do not give what the suite wants, so that none could run after all', () => {
    for (const suiteCase of cases) {
      const { outcome, wanted } = runSuiteCase(suiteCase)
      expect([suiteCase.id, outcome]).not.toEqual([suiteCase.id, wanted])
    }
  })

  it('each have a reason, and make up the suites together with the cases that run', () => {
    expect(cases.filter(({ reason }) => reason.length < 20)).toEqual([])
    const ids = [...suites.flatMap((suite) => suite.cases), ...cases].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(suites.reduce((sum, { total }) => sum + total, 0))
  })
})
