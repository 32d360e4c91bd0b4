import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A host in a process of its own. */
export interface ChildHost {
  /** Ids of calls whose tool has begun. */
  readonly ran: readonly string[]
  /** Ids of calls whose end was acknowledged. */
  readonly done: readonly string[]
  /** The first line that it said. */
  readonly firstLine: string
  readonly process: ChildProcess
  /** Ends it with -9 and reads what it said until then. */
  kill(): Promise<void>
}

/** V8's second compiler of WebAssembly costs a database that lives for seconds more than it brings. */
const quickCompiler = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? ['--liftoff-only'] : []

/** Starts a host and waits until it has said something. */
export async function startHost(...args: string[]): Promise<ChildHost> {
  const script = join(import.meta.dirname, 'fixtures/call-host.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=@toolcrib/source', ...quickCompiler, script, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    },
  )
  const lines = createInterface({ input: child.stdout })
  const said: Record<'ran' | 'done', string[]> = { ran: [], done: [] }
  const first = Promise.withResolvers<string>()
  lines.on('line', (line) => {
    first.resolve(line)
    const [word, callId = ''] = line.split(' ')
    if (word === 'ran' || word === 'done') said[word].push(callId)
  })
  const closed = once(lines, 'close')
  const firstLine = await Promise.race([first.promise, closed.then(() => 'nothing')])
  return {
    ...said,
    firstLine,
    process: child,
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
