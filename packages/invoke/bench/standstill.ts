// The longest time that one call keeps the event loop, in milliseconds of the thread's CPU: large values as input and as
// output. Run: node --conditions=@toolcrib/source packages/invoke/bench/standstill.ts
import { type CallLogWriter, ToolRegistry, type ToolResult } from '@toolcrib/registry'
import { createInvoker, createRedactor } from '@toolcrib/invoke'

declare const process: { readonly argv: readonly string[]; threadCpuUsage: () => CpuUsage }
declare const console: { log: (line: string) => void }
declare const setImmediate: (work: () => void) => unknown

interface CpuUsage {
  readonly user: number
  readonly system: number
}

/** Runs a work, and tells what the longest turn of the event loop meanwhile took, and all of them together. */
async function watchTurns<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly longest: number; readonly total: number }> {
  let longest = 0
  let isOver = false
  const begin = clock()
  let last = begin
  const beat = (): void => {
    const now = clock()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
  last = clock()
  const value = await work()
  const now = clock()
  longest = Math.max(longest, now - last)
  isOver = true
  return { value, longest, total: now - begin }
}

function clock(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const record = (keys: number): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key ${index}`, index]))

const values: Readonly<Record<string, () => unknown>> = {
  '1,000 objects of 1,000 keys': () =>
    JSON.parse(JSON.stringify(Array.from({ length: 1_000 }, () => record(1_000)))),
  'a text of 100 MB': () => JSON.parse(JSON.stringify('some text, '.repeat(9_090_000))),
  'an object of 100,000 keys': () => JSON.parse(JSON.stringify(record(100_000))),
  'an object of 1,000,000 keys': () => JSON.parse(JSON.stringify(record(1_000_000))),
  'a list of 3,000,000 numbers': () => Array.from({ length: 3_000_000 }, (_, index) => index),
  'a list of 400,000 objects': () => Array.from({ length: 400_000 }, (_, id) => ({ id })),
  'numbers under a secret key': () => ({ token: Array.from({ length: 500_000 }, (_, at) => at) }),
}

const dropped = async (): Promise<void> => undefined
const log: CallLogWriter = {
  logToolStart: dropped,
  logToolComplete: dropped,
  logToolFailure: dropped,
  logToolLate: dropped,
}

const registry = new ToolRegistry()
let output: unknown
registry.register({
  name: 'work',
  description: 'Gives a large value',
  inputSchema: {},
  execute: () => output,
})

const unlimited = 1_000_000_000
const redactor = createRedactor({ secrets: ['hunter22hunter22'] })
const invokers = {
  'default limits': createInvoker({ registry, log, redactor }),
  'high limits': createInvoker({
    registry,
    log,
    redactor,
    maxInputBytes: unlimited,
    maxOutputBytes: unlimited,
  }),
}

const only = process.argv[2] ?? ''
console.log('as | value | limits | longest turn, ms | in all, ms | answer')
for (const [name, create] of Object.entries(values)) {
  if (!name.includes(only)) continue
  for (const [limits, invoker] of Object.entries(invokers)) {
    for (const way of ['input', 'output'] as const) {
      const value = create()
      output = way === 'output' ? value : true
      const {
        value: result,
        longest,
        total,
      } = await watchTurns<ToolResult>(() => invoker.invoke('work', way === 'input' ? value : {}))
      const answer = result.success ? (result.truncated ? 'preview' : 'whole') : result.errorCode
      console.log(
        `${way} | ${name} | ${limits} | ${longest.toFixed(0)} | ${total.toFixed(0)} | ${answer}`,
      )
    }
  }
}
