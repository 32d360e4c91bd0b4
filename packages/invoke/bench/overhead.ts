// Thread CPU time per call, beside what cannot be avoided: parsing the input and awaiting the function, or writing the
// output as JSON once. Run: node --expose-gc --conditions=@toolcrib/source packages/invoke/bench/overhead.ts
import { type CallLogWriter, ToolRegistry, defineTool } from '@toolcrib/registry'
import { createInvoker, createRedactor } from '@toolcrib/invoke'
import { z } from 'zod'

declare const process: {
  threadCpuUsage?: () => { user: number; system: number }
  cpuUsage: () => { user: number; system: number }
}
declare const console: { log: (line: string) => void }

const rounds = 7

function clock(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return user + system
}

async function measure(work: () => Promise<unknown>, count: number): Promise<number> {
  const samples: number[] = []
  for (let index = 0; index < count / 2; index += 1) await work()
  for (let round = 0; round < rounds; round += 1) {
    const start = clock()
    for (let index = 0; index < count; index += 1) await work()
    samples.push((clock() - start) / count)
  }
  return samples.toSorted((left, right) => left - right)[Math.floor(rounds / 2)] ?? Number.NaN
}

/** The simplest log there is: it keeps the rows of the last calls. */
function createRingLog(size: number): CallLogWriter {
  const rows: unknown[] = Array.from({ length: size })
  let at = 0
  const keep = async (row: object): Promise<void> => {
    rows[at] = row
    at = (at + 1) % size
  }
  return { logToolStart: keep, logToolComplete: keep, logToolFailure: keep, logToolLate: keep }
}

const inputSchema = z.object({ id: z.string(), weight: z.number(), express: z.boolean() })
const rows = {
  rows: Array.from({ length: 200 }, (_, id) => ({
    id,
    name: `name ${id}`,
    price: id * 1.5,
    ok: true,
  })),
}
const text = { text: 'hello world '.repeat(850) }
const outputs: Record<string, unknown> = {
  small: { id: 'abc', total: 31.5, ok: true },
  'text of 10 KB': text,
  '200 rows, 10 KB': rows,
}

const input = { id: 'abc', weight: 12, express: true }
for (const [name, output] of Object.entries(outputs)) {
  const registry = new ToolRegistry()
  registry.register(
    defineTool({
      name: 'answer',
      description: 'Gives the same output each time',
      inputSchema,
      execute: async () => output,
    }),
  )
  const log = createRingLog(1_024)
  const execute = async (value: unknown): Promise<unknown> => (value === undefined ? value : output)
  const count = name === 'small' ? 100_000 : 20_000
  const floor = await measure(async () => execute(inputSchema.parse(input)), count)
  const stringify = await measure(async () => JSON.stringify(output), count)
  const plain = createInvoker({ registry, log })
  const guarded = createInvoker({
    registry,
    log,
    redactor: createRedactor({
      secrets: Array.from({ length: 20 }, () => crypto.randomUUID()),
    }),
  })
  const called = await measure(() => plain.invoke('answer', input), count)
  const calledGuarded = await measure(() => guarded.invoke('answer', input), count)
  console.log(
    [
      name.padEnd(16),
      `floor ${floor.toFixed(2)} µs`,
      `stringify ${stringify.toFixed(2)}`,
      `invoke ${called.toFixed(2)}`,
      `over floor ${(called - floor).toFixed(2)}`,
      `/ stringify ${(called / stringify).toFixed(2)}`,
      `with 20 secrets ${calledGuarded.toFixed(2)}`,
    ].join('   '),
  )
}
