import { ComputeError, evaluateComputeDSL, type ComputeLogic } from '../src/index.ts'

/** What is wanted: a value, or one of the codes between bars; both where either is safe. */
export interface WantedOutcome {
  readonly value?: unknown
  readonly error?: string
}

/** One hostile or careless program with the outcome that is wanted. */
export interface AttackCase {
  readonly id: string
  readonly category: string
  readonly title: string
  readonly program: unknown
  readonly args: unknown
  readonly expected: WantedOutcome
  readonly why: string
}

/** What a program did: a value, the code of a ComputeError, or the name of any other error. */
export type Outcome = { readonly value: unknown } | { readonly error: string }

const hostValues: Record<string, () => unknown> = {
  throwingGetter: () => ({
    get a() {
      throw new TypeError('host trouble')
    },
  }),
  proxyAll: () => new Proxy({}, { has: () => true, get: () => 5 }),
  symbol: () => Symbol('s'),
  valueOfObj: () => ({ valueOf: () => 5 }),
  NaN: () => Number.NaN,
  frozenA: () => Object.freeze({ a: 1 }),
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function nestedConditions(depth: number): unknown[] {
  let steps: unknown[] = [{ op: 'return', value: 'a' }]
  for (let level = 0; level < depth; level++) {
    steps = [
      { op: 'condition', if: 'a > 0', then: steps },
      { op: 'return', value: 'a' },
    ]
  }
  return steps
}

function doublings(times: number): unknown[] {
  const steps: unknown[] = Array.from({ length: times }, () => ({
    op: 'format',
    template: '{{a}}{{a}}',
    output: 'a',
  }))
  return [...steps, { op: 'return', value: 'a' }]
}

const generators: Record<string, (argument: unknown) => unknown> = {
  $repeat: (argument) => {
    const [text, times] = argument as [string, number]
    return text.repeat(times)
  },
  $concat: (argument) => (argument as unknown[]).map((part) => expandCase(part) as string).join(''),
  $nest: (argument) => nestedConditions(argument as number),
  $double: (argument) => doublings(argument as number),
  $manyArgs: (argument) =>
    Object.fromEntries(
      Array.from({ length: argument as number }, (_, index) => [`a${index}`, index]),
    ),
  $js: (argument) => hostValues[argument as string]?.(),
}

/** Turns the notation of the case files into the values it stands for. */
function expandCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandCase)
  if (!isRecord(value)) return value
  const [key] = Object.keys(value)
  if (key?.startsWith('$') === true) {
    const generate = generators[key]
    if (generate === undefined) throw new Error(`no generator for ${key}`)
    return generate(value[key])
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expandCase(item)]))
}

/** Runs something and says what came of it. */
export function outcomeOf(run: () => unknown): Outcome {
  try {
    return { value: run() }
  } catch (error) {
    if (ComputeError.is(error)) return { error: error.code }
    return { error: `host error ${String(error)}` }
  }
}

/** Runs one case. */
export function runAttack({ program, args }: AttackCase): Outcome {
  return outcomeOf(() =>
    evaluateComputeDSL(
      expandCase(program) as ComputeLogic,
      expandCase(args) as Record<string, unknown>,
    ),
  )
}

const isPlainOrNull = (value: object): boolean =>
  [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(value) as never)

/** Sameness to the last bit: own keys, plain objects, and zero is not negative zero. */
function isSame(left: unknown, right: unknown): boolean {
  if (!isRecord(left) || !isRecord(right)) return Object.is(left, right)
  const keys = Object.keys(left)
  return (
    Array.isArray(left) === Array.isArray(right) &&
    isPlainOrNull(left) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  )
}

/** Whether an outcome is the wanted one. */
export function isWanted(
  outcome: Outcome,
  { expected }: { readonly expected: WantedOutcome },
): boolean {
  if ('error' in outcome) return expected.error?.split('|').includes(outcome.error) === true
  return Object.hasOwn(expected, 'value') && isSame(outcome.value, expected.value)
}
