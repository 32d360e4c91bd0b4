/** What a registry of 100,000 tools costs, beside a bare Map. */
import { ToolRegistry, type ToolDefinition, defineTool } from '@toolcrib/registry'
import type { BenchmarkRow } from './benchmark-row.ts'
import { collectGarbage, measureVariants, median, readThreadTime } from './measure-variants.ts'

const toolCount = 100_000
const rounds = 7

export async function run(): Promise<BenchmarkRow[]> {
  const tools = createTools()
  const registering = Array.from({ length: rounds }, () => measureRegistering(tools))
  const [registry, map] = fill(tools)
  // Keys are read in random order and are copies: neither the processor's cache nor identity of strings helps.
  const names = shuffle(tools.map(({ name }) => Buffer.from(name).toString()))
  const times = await measureVariants([
    { name: 'registry', run: () => lookUp(names, (name) => registry.get(name)) },
    { name: 'Map', run: () => lookUp(names, (name) => map.get(name)) },
  ])
  const registerMicroseconds = median(registering.map(({ own }) => own))
  const lookUpMicroseconds = times.median('registry') / toolCount
  const heapBytes = median(registering.map(({ heapBytes: bytes }) => bytes))
  return [
    {
      part: 'registry',
      what: 'register one of 100,000 tools: checked, no duplicate',
      value: registerMicroseconds,
      unit: 'µs',
      baseline: { name: 'Map.set', value: median(registering.map(({ bare }) => bare)) },
      ratio: median(registering.map(({ own, bare }) => own / bare)),
      goal: {
        text: '≤ 0.9 µs',
        isMet: registerMicroseconds <= 0.9,
        limitedBy: 'each definition is checked whole',
      },
    },
    {
      part: 'registry',
      what: 'look up one of 100,000 tools, random order',
      value: lookUpMicroseconds,
      unit: 'µs',
      baseline: { name: 'Map.get', value: times.median('Map') / toolCount },
      ratio: times.ratio('registry', 'Map'),
      goal: {
        text: '≤ 0.74 µs',
        isMet: lookUpMicroseconds <= 0.74,
        limitedBy: 'misses of the processor cache, as for a bare Map',
      },
    },
    {
      part: 'registry',
      what: 'heap per entry, besides the definition',
      value: heapBytes,
      unit: 'B',
      goal: {
        text: '≤ 300 B',
        isMet: heapBytes <= 300,
        limitedBy: 'something is kept for each tool',
      },
    },
  ]
}

const answer = async (): Promise<number> => 1

/** Schemas are data of their own, as for tools loaded from a store. */
function createTools(): ToolDefinition[] {
  return Array.from({ length: toolCount }, (_, index) =>
    defineTool({
      name: `tool_${index}_${(index * 7_919) % 104_729}`,
      description: `Gives the answer to question ${index}`,
      inputSchema: { type: 'object', properties: { question: { type: 'string' } } },
      execute: answer,
    }),
  )
}

interface Registering {
  /** Microseconds for one tool. */
  readonly own: number
  readonly bare: number
  readonly heapBytes: number
}

function measureRegistering(tools: readonly ToolDefinition[]): Registering {
  const registry = new ToolRegistry()
  const map = new Map<string, ToolDefinition>()
  const before = readHeap()
  const own = timeEach(tools, (tool) => registry.register(tool))
  const heapBytes = (readHeap() - before) / tools.length
  const bare = timeEach(tools, (tool) => map.set(tool.name, tool))
  if (registry.count() !== map.size) throw new Error('The registry lost a tool.')
  return { own, bare, heapBytes }
}

function timeEach(
  tools: readonly ToolDefinition[],
  register: (tool: ToolDefinition) => unknown,
): number {
  const start = readThreadTime()
  for (const tool of tools) register(tool)
  return (readThreadTime() - start) / tools.length
}

function readHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function fill(
  tools: readonly ToolDefinition[],
): [registry: ToolRegistry, map: Map<string, ToolDefinition>] {
  const registry = new ToolRegistry()
  for (const tool of tools) registry.register(tool)
  return [registry, new Map(tools.map((tool) => [tool.name, tool]))]
}

function lookUp(names: readonly string[], get: (name: string) => unknown): number {
  let found = 0
  for (const name of names) if (get(name) !== undefined) found += 1
  if (found !== names.length) throw new Error('A tool was not found.')
  return found
}

/** The same order in each run. */
function shuffle(names: readonly string[]): string[] {
  let state = 42
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  return names
    .map((name) => ({ name, key: next() }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ name }) => name)
}
