// Wall-clock time of a command through the shell tool, beside spawning the same program without it, in turns.
// Run: node --conditions=@toolcrib/source packages/tools/bench/shell.ts
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShellTool } from '@toolcrib/tools/shell'
import { noContext } from '../test/no-context.ts'

const rounds = 60
const warmUp = 10

/** The same program and the same streams, with nothing else. */
function spawnPlainly(workspace: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/usr/bin/echo', ['hello'], {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}

function shellCall(workspace: string, containment: 'bubblewrap' | 'namespace' | 'process-group') {
  const tool = createShellTool({ workspace, containment })
  const { signal } = new AbortController()
  return async (): Promise<string> => {
    const output = await tool.execute({ command: 'echo', args: ['hello'] }, signal, noContext)
    return 'stdout' in output ? output.stdout : ''
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN

const workspace = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const ways = {
  'bare spawn': () => spawnPlainly(workspace),
  'process-group': shellCall(workspace, 'process-group'),
  namespace: shellCall(workspace, 'namespace'),
  bubblewrap: shellCall(workspace, 'bubblewrap'),
}
const times = new Map<string, number[]>()
for (let round = 0; round < warmUp + rounds; round += 1)
  for (const [name, work] of Object.entries(ways)) {
    const start = performance.now()
    const text = await work().catch((error: unknown) => String(error))
    const took = performance.now() - start
    if (text === 'hello\n' && round >= warmUp) times.set(name, [...(times.get(name) ?? []), took])
  }
rmSync(workspace, { recursive: true })
const floor = times.get('bare spawn') ?? []
for (const name of Object.keys(ways)) {
  const own = times.get(name)
  const ratio = median((own ?? []).map((time, at) => time / (floor[at] ?? Number.NaN)))
  process.stdout.write(
    own === undefined
      ? `${name.padEnd(14)} does not work here\n`
      : `${name.padEnd(14)} ${median(own).toFixed(2)} ms   ${ratio.toFixed(2)} × bare spawn\n`,
  )
}
