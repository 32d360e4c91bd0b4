import { compileCompute } from '../src/index.ts'
import publicSuites from '../test-cases/public-suites.json' with { type: 'json' }
import { outcomeOf, type WantedOutcome } from './attack-runner.ts'

/** A case of a public suite: an expression, its variables, and what the suite wants. */
export interface SuiteCase {
  readonly id: string
  readonly expression: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly data?: string
  readonly expected?: unknown
  readonly error?: boolean
}

interface Suite {
  readonly suite: string
  readonly license: string
  readonly total: number
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly cases: readonly SuiteCase[]
}

/** The suites with the variables of every case in place. */
export const suites: readonly Suite[] = (publicSuites.suites as readonly Suite[]).map((suite) => ({
  ...suite,
  cases: suite.cases.map((suiteCase) => ({
    ...suiteCase,
    variables: suiteCase.variables ?? suite.data[suiteCase.data ?? ''] ?? {},
  })),
}))

/** What an expression gives as a whole program: a value or the code of the error. */
export function evaluateExpression(
  expression: string,
  variables: Readonly<Record<string, unknown>> = {},
): ReturnType<typeof outcomeOf> {
  return outcomeOf(() =>
    compileCompute({ steps: [{ op: 'return', value: expression }] }).run(variables),
  )
}

/** What comes out of a case, and what the suite wants: any error of ours counts where it wants one. */
export function runSuiteCase({ expression, variables, expected, error }: SuiteCase): {
  readonly outcome: unknown
  readonly wanted: WantedOutcome | 'refused'
} {
  const outcome = evaluateExpression(expression, variables)
  const isRefused = 'error' in outcome && !outcome.error.startsWith('host error')
  return {
    outcome: isRefused ? 'refused' : outcome,
    wanted: error === true ? 'refused' : { value: expected },
  }
}
