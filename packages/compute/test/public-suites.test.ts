import { describe, expect, it } from 'vitest'
import { ComputeError, evaluateComputeDSL, evaluateMathExpression } from '../src/index.ts'
import leftOut from '../test-cases/left-out.json' with { type: 'json' }
import publicSuites from '../test-cases/public-suites.json' with { type: 'json' }

interface SuiteCase {
  readonly id: string
  readonly form: string
  readonly expression: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly expected?: unknown
  readonly error?: boolean
}

function evaluateCondition(expression: string, args: Readonly<Record<string, unknown>>): boolean {
  const answer = (text: string) => ({ op: 'format' as const, template: text, output: 'answer' })
  return (
    evaluateComputeDSL(
      {
        steps: [
          { op: 'condition', if: expression, then: [answer('yes')], else: [answer('no')] },
          { op: 'return', value: 'answer' },
        ],
      },
      args,
    ) === 'yes'
  )
}

function evaluateCase({ form, expression, variables }: SuiteCase): unknown {
  return form === 'condition'
    ? evaluateCondition(expression, variables)
    : evaluateMathExpression(expression, variables as Record<string, number>)
}

function outcomeOf(evaluate: () => unknown): unknown {
  try {
    return { value: evaluate() }
  } catch (error) {
    return ComputeError.is(error) ? 'refused' : error
  }
}

describe.each(publicSuites.suites)('$suite ($license)', ({ cases }) => {
  const suiteCases: readonly SuiteCase[] = cases
  it.each(suiteCases)('$id: $expression', (suiteCase) => {
    const wanted = suiteCase.error === true ? 'refused' : { value: suiteCase.expected }
    expect(outcomeOf(() => evaluateCase(suiteCase))).toEqual(wanted)
  })
})

describe('cases left out', () => {
  it('are refused, as math and as a condition, so that none can be run and is left out all the same', () => {
    for (const { expression, variables, id } of leftOut.cases) {
      const args = variables as Record<string, number>
      expect([id, outcomeOf(() => evaluateMathExpression(expression, args))]).toEqual([
        id,
        'refused',
      ])
      expect([id, outcomeOf(() => evaluateCondition(expression, args))]).toEqual([id, 'refused'])
    }
  })

  it('each have a reason, and make up the suites together with the cases that run', () => {
    expect(leftOut.cases.filter(({ reason }) => reason === '')).toEqual([])
    const ran = publicSuites.suites.flatMap(({ cases }) => cases.map(({ id }) => id))
    const ids = [...ran, ...leftOut.cases.map(({ id }) => id)]
    expect(new Set(ids).size).toBe(ids.length)
    const total = publicSuites.suites.reduce((sum, suite) => sum + suite.total, 0)
    expect(ids).toHaveLength(total)
  })
})
