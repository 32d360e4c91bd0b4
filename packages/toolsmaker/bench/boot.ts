import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolRegistry } from '@toolcrib/registry'
import {
  createMemoryEventStore,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'
import { createAdderKind } from '../test/adder-kind.ts'
import { adderIntent } from '../test/bench-of-tests.ts'

// How long a start takes with many stored tools: open and check the log, fold it, verify every signature, register.
const count = Number(process.argv[2] ?? 10_000)
const folder = await mkdtemp(join(tmpdir(), 'toolsmaker-bench-'))
const storeDirectory = join(folder, 'store')
const trust = await openTrustDirectory(join(folder, 'trust'))
await seed()

for (let run = 0; run < 3; run += 1) {
  const registry = new ToolRegistry()
  const begin = performance.now()
  const next = await open(registry)
  const opened = performance.now()
  const report = await next.maker.loadActiveTools()
  const end = performance.now()
  print(
    `open ${Math.round(next.storeMs)} ms, fold ${Math.round(opened - begin - next.storeMs)} ms, ` +
      `verify and register ${Math.round(end - opened)} ms, total ${Math.round(end - begin)} ms: ` +
      `${report.registered} registered, ${report.refused.length} refused`,
  )
  const verifyStart = performance.now()
  const verified = await next.maker.verifyAudit()
  const verifyMs = performance.now() - verifyStart
  print(
    `verify ${JSON.stringify(verified).slice(0, 60)} ${Math.round(verified.events / (verifyMs / 1_000))} rows/s`,
  )
  await next.maker.close()
}
await rm(folder, { recursive: true, force: true })

async function open(registry: ToolRegistry) {
  const begin = performance.now()
  const store = await openFileEventStore({ directory: storeDirectory })
  const storeMs = performance.now() - begin
  const maker = await createToolsmaker({ store, trust, kinds: [createAdderKind()], registry })
  return { maker, store, storeMs }
}

async function seed(): Promise<void> {
  const memory = createMemoryEventStore()
  const registry = new ToolRegistry()
  const maker = await createToolsmaker({
    store: memory,
    trust,
    kinds: [createAdderKind()],
    registry,
  })
  // A person, for agents may propose 30 times a minute.
  const ada = maker.forAgent({ kind: 'person', id: 'ada' })
  const logic = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`step${index}`, `value * ${index} + rate`]),
  )
  const started = performance.now()
  for (let index = 0; index < count; index += 1)
    await ada.buildToolFromIntent(
      adderIntent({
        name: `price_${(index * 7919).toString(36)}_${index}`,
        purpose: 'Prices a parcel from its weight and the zone it goes to, in euros',
        definition: { add: index, ...logic },
        examples: [{ input: { value: 1 }, expected: index + 1 }],
      }),
    )
  print(`proposed ${count} in memory in ${Math.round(performance.now() - started)} ms`)
  const events = (await memory.read()).flatMap(({ event }) => (event === undefined ? [] : [event]))
  const file = await openFileEventStore({ directory: storeDirectory })
  const appendStart = performance.now()
  // The first row is the store's identity, so it must be a batch of its own as it was.
  await file.append(events.slice(0, 1), 0)
  for (let from = 1; from < events.length; from += 50)
    await file.append(events.slice(from, from + 50), from)
  const appendMs = performance.now() - appendStart
  print(
    `appended ${events.length} events in batches of 50: ${Math.round(events.length / (appendMs / 1_000))} events/s`,
  )
  await file.close()
  await maker.close()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
