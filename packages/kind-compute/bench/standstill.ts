// The longest time that one call of a compute tool keeps the event loop, in milliseconds of the thread's CPU: programs at
// the default work limit. Run: node --conditions=@toolcrib/source packages/kind-compute/bench/standstill.ts
import { createComputeKind } from '../src/index.ts'
import type { ToolContext } from '@toolcrib/registry'
import type { ToolSpec } from '@toolcrib/toolsmaker'

/** Runs a work, and tells what the longest turn of the event loop meanwhile took. */
async function watchTurns(
  work: () => Promise<unknown>,
): Promise<{ readonly answer: string; readonly longest: number; readonly wall: number }> {
  let longest = 0
  let isOver = false
  let last = clock()
  const beat = (): void => {
    const now = clock()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(beat)
  }
  beat()
  const begin = performance.now()
  const answer = await work().then(
    (value) => `a value of ${JSON.stringify(value).length} characters`,
    (error: unknown) => (error instanceof Error ? error.message.slice(0, 60) : 'an error'),
  )
  isOver = true
  return { answer, longest: Math.max(longest, clock() - last), wall: performance.now() - begin }
}

function clock(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const texts = (count: number): string[] =>
  numbers(count).map((at) => `text ${(at * 7_919) % count}`)
const objects = (count: number): object[] => numbers(count).map((id) => ({ id, at: [id] }))
const rows = (count: number): object[] => numbers(count).map((id) => ({ q: id, p: id / 8, d: 0.5 }))

interface Shape {
  readonly value: string
  readonly input: object
  readonly isDecimal?: boolean
  readonly declared?: object
}

const number = { type: 'number' }
const row = { type: 'object', fields: { q: number, p: number, d: number } }

const shapes: Readonly<Record<string, Shape>> = {
  'numbers as texts': { value: 'count(l.map(x, fixed(x / 7, 3)))', input: { l: numbers(66_000) } },
  'a sort of numbers': {
    value: 'count(sort(l.map(x, 0 - x % 977)))',
    input: { l: numbers(45_000) },
  },
  'a sort of texts': { value: 'count(sort(l))', input: { l: texts(50_000) } },
  'objects told apart': { value: 'count(distinct(l))', input: { l: objects(400) } },
  'a map in a map': { value: 'l.map(a, sum(l.map(b, a * b)))', input: { l: numbers(350) } },
  'a map in a map, of texts': {
    value: 'count(l.map(a, count(l.map(b, "x"))))',
    input: { l: numbers(600) },
  },
  'two large lists compared': {
    value: 'l == m',
    input: { l: objects(160_000), m: objects(160_000) },
  },
  'a long part in a long text': {
    value: 'contains(s, t)',
    input: { s: 'a'.repeat(100_000), t: `${'a'.repeat(2_400)}b${'a'.repeat(2_400)}` },
  },
  'quotients of long decimals': {
    value: 'l.map(x, number(s) / 7)',
    input: { l: numbers(800), s: '3'.repeat(900) },
    isDecimal: true,
  },
  'powers of long decimals': {
    value: Array.from({ length: 24 }, () => 'pow(number(s), number(t))').join('+'),
    input: { s: `1.${'3'.repeat(900)}`, t: `1.${'7'.repeat(900)}` },
    isDecimal: true,
  },
  'a total of rows': { value: 'sum(l.map(r, r.q * r.p))', input: { l: rows(100_000) } },
  'a total of rows, one wrong': {
    value: 'sum(l.map(r, r.q * r.p))',
    input: { l: [...rows(99_999), { q: 'x', p: 1 }] },
  },
  'a total of declared rows': {
    value: 'sum(l.map(r, r.q * r.p))',
    input: { l: rows(30_000) },
    declared: { l: { type: 'array', items: row } },
  },
}

function show(line: string): void {
  process.stdout.write(`${line}\n`)
}

const context = {} as ToolContext
const only = process.argv[2] ?? ''
const kind = createComputeKind()
show('shape | longest turn, ms of CPU | whole call, ms | answer')
for (const [name, { value, input, isDecimal = false, declared }] of Object.entries(shapes)) {
  if (!name.includes(only)) continue
  const spec = {
    name: 'shape',
    kind: 'compute',
    purpose: name,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.keys(input).map((key) => [key, {}])),
    },
    definition: {
      ...(isDecimal && { numbers: 'decimal' }),
      ...(declared !== undefined && { inputs: declared }),
      steps: [{ op: 'return', value }],
    },
    examples: [],
  } as unknown as ToolSpec
  const { execute } = kind.compile(spec)
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  const { longest, wall, answer } = await watchTurns(async () =>
    execute(input, new AbortController().signal, context),
  )
  show(`${name} | ${longest.toFixed(0)} | ${wall.toFixed(0)} | ${answer}`)
}
