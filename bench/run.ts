/**
 * Runs the benchmarks and prints one table: `pnpm bench` runs all of them, `pnpm bench invoke registry` some, and
 * `--json` prints the rows as JSON. Each part runs in a process of its own, so that none inherits another's heap.
 */
import { availableParallelism, loadavg } from 'node:os'
import { type BenchmarkRow, formatEngines, formatTable } from './benchmark-row.ts'
import { runInChild } from './run-in-child.ts'

type Part = () => Promise<{ readonly run: () => Promise<BenchmarkRow[]> }>

const parts: Readonly<Record<string, Part>> = {
  invoke: () => import('./invoke.ts'),
  'call-log': () => import('./call-log.ts'),
  registry: () => import('./registry.ts'),
  boot: () => import('./boot.ts'),
  compute: () => import('./compute.ts'),
  sandbox: () => import('./sandbox.ts'),
  n8n: () => import('./n8n.ts'),
}

const [flags, names] = partition(process.argv.slice(2).filter((argument) => argument !== '--'))
const unknown = [
  ...flags.filter((flag) => flag !== '--json'),
  ...names.filter((name) => !Object.hasOwn(parts, name)),
]
if (unknown.length > 0) {
  console.error(`Not known: ${unknown.join(', ')}. Parts are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
const failed: string[] = []
const rows = await runParts(names.length === 0 ? Object.keys(parts) : names)
console.log(
  flags.includes('--json')
    ? JSON.stringify(rows, null, 2)
    : `${formatTable(rows.filter(isOwn))}\n${formatPeers(rows)}\n${describeMachine()}`,
)
// Timers of a peer must not keep the program waiting.
process.exit(failed.length === 0 ? 0 : 1)

/** Of rows that many engines have, ours stand in the table of goals, and all of them in one of their own. */
function isOwn({ engine }: BenchmarkRow): boolean {
  return engine === undefined || engine.startsWith('@toolcrib/')
}

function formatPeers(all: readonly BenchmarkRow[]): string {
  return all.every(isOwn) ? '' : `\n${formatEngines(all)}\n`
}

function partition(words: readonly string[]): [flags: string[], names: string[]] {
  return [
    words.filter((word) => word.startsWith('-')),
    words.filter((word) => !word.startsWith('-')),
  ]
}

async function runParts(chosen: readonly string[]): Promise<BenchmarkRow[]> {
  const [only] = chosen
  if (chosen.length === 1 && only !== undefined) return runHere(only)
  const all: BenchmarkRow[] = []
  for (const name of chosen) {
    console.error(`… ${name}`)
    try {
      all.push(...((await runInChild('run.ts', [name, '--json'])) as BenchmarkRow[]))
    } catch (error) {
      // What the others measured took minutes and is still true.
      console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
      failed.push(name)
    }
  }
  return all
}

async function runHere(name: string): Promise<BenchmarkRow[]> {
  const { run } = (await parts[name]?.()) ?? {}
  return (await run?.()) ?? []
}

/** Absolute figures mean little without it. */
function describeMachine(): string {
  const [load = 0] = loadavg()
  return `Node ${process.versions.node}, ${availableParallelism()} cores, load ${load.toFixed(1)} at the end.`
}
