import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerKeys, createKeys } from './first-keys.ts'
import { installN8n } from './install-n8n.ts'

/** How a server is started. */
export interface StartServerOptions {
  /** Such as `2.41.1`. */
  readonly version: string
  /** @default a free one */
  readonly port?: number
  /** More variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** In milliseconds. @default 180_000 */
  readonly bootTimeoutMs?: number
  readonly say?: (text: string) => void
  readonly signal?: AbortSignal | undefined
}

/** An n8n of this process, with data of its own that goes when it is stopped. */
export interface StartedServer extends ServerKeys, AsyncDisposable {
  readonly version: string
  readonly baseUrl: string
  pid(): number | undefined
  /** What the server printed. */
  log(): Promise<string>
  /** Ids of the executions that n8n started by itself when it came up, as its event log says; of its last few starts. */
  startedAtBoot(): Promise<ReadonlySet<string>>
  /** Ends it as a power cut would, with everything it has in hand. Its data stays. */
  kill(): Promise<void>
  /** Asks it to end, as an operator would; resolves when it has. Its data stays. */
  terminate(): Promise<void>
  /** Starts it again on the same port with the same data; resolves once the process runs, unless told to wait. */
  restart(options?: { readonly untilReady?: boolean }): Promise<void>
  waitUntilReady(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

const running = new Map<number, string>()
process.once('exit', () => {
  for (const [pid, data] of running) {
    signalGroup(pid, 'SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
})

/** Installs a release where it is missing, boots it on 127.0.0.1, and gives it an owner and API keys. */
export async function startServer(options: StartServerOptions): Promise<StartedServer> {
  const { version, bootTimeoutMs = 180_000, signal } = options
  if (Number(process.versions.node.split('.')[0]) < 24)
    throw new Error(`n8n needs Node 24 or newer, and this is ${process.versions.node}.`)
  const app = await installN8n(version, {
    ...(options.say === undefined ? {} : { say: options.say }),
    signal,
  })
  const port = options.port ?? (await freePort())
  const brokerPort = await freePort()
  // The contract job removes its folder, also when it is broken off.
  const data = await mkdtemp(
    join(process.env['TOOLCRIB_N8N_RUN_FOLDER'] ?? tmpdir(), 'toolcrib-n8n-'),
  )
  const baseUrl = `http://127.0.0.1:${String(port)}`
  const logFile = join(data, 'n8n.log')
  const current: { child?: ChildProcess; logFrom: number } = { logFrom: 0 }

  const boot = async (): Promise<void> => {
    const log = openSync(logFile, 'a')
    current.logFrom = fstatSync(log).size
    const started = spawn(
      process.execPath,
      [join(app, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'],
      {
        cwd: data,
        env: environment(options, { port, brokerPort, data }),
        stdio: ['ignore', log, log],
        // A group of its own, so that its task runner can be ended with it.
        detached: true,
      },
    )
    closeSync(log)
    current.child = started
    const { pid } = started
    if (pid === undefined) throw new Error('n8n could not be started')
    running.set(pid, data)
    await noteProcess(pid)
  }
  const end = async (name: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ended = current.child
    if (ended?.pid === undefined) return
    const gone = new Promise((resolve) => ended.once('exit', resolve))
    const isGone = ended.exitCode !== null || ended.signalCode !== null
    if (name === 'SIGKILL') signalGroup(ended.pid, name)
    else if (!isGone) process.kill(ended.pid, name)
    if (!isGone) await Promise.race([gone, wait(40_000, undefined, { ref: false })])
    signalGroup(ended.pid, 'SIGKILL')
    running.delete(ended.pid)
    await forgetProcess(ended.pid)
    delete current.child
  }
  const waitUntilReady = async (): Promise<void> => {
    const deadline = Date.now() + bootTimeoutMs
    // A call that comes before n8n has begun what it found noted may run twice: it says so when it is through.
    const isThrough = async (): Promise<boolean> =>
      (await readFile(logFile)).includes('Editor is now accessible via', current.logFrom)
    while (!((await isReady(baseUrl)) && (await isThrough()))) {
      signal?.throwIfAborted()
      if (current.child === undefined || current.child.exitCode !== null)
        throw new Error(
          `n8n ended while it started:\n${(await readFile(logFile, 'utf8')).slice(-2000)}`,
        )
      if (Date.now() > deadline)
        throw new Error(`n8n was not ready after ${String(bootTimeoutMs)} ms`)
      await wait(200)
    }
  }
  const stop = async (): Promise<void> => {
    await end('SIGTERM')
    await rm(data, { recursive: true, force: true })
  }
  try {
    await boot()
    await waitUntilReady()
    const keys = await createKeys(baseUrl)
    return {
      ...keys,
      version,
      baseUrl,
      pid: () => current.child?.pid,
      log: () => readFile(logFile, 'utf8'),
      startedAtBoot: () => readStartedAtBoot(join(data, '.n8n')),
      kill: () => end('SIGKILL'),
      terminate: () => end('SIGTERM'),
      restart: async ({ untilReady = true } = {}) => {
        await end('SIGTERM')
        await boot()
        if (untilReady) await waitUntilReady()
      },
      waitUntilReady,
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await end('SIGKILL')
    await rm(data, { recursive: true, force: true })
    throw error
  }
}

/** Nothing of the caller's n8n settings, and nothing that calls out. */
function environment(
  options: StartServerOptions,
  {
    port,
    brokerPort,
    data,
  }: { readonly port: number; readonly brokerPort: number; readonly data: string },
): NodeJS.ProcessEnv {
  const isOld = options.version.startsWith('1.')
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot', 'TEMP', 'TMP']
  return {
    ...Object.fromEntries(
      kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    NODE_ENV: 'production',
    N8N_USER_FOLDER: data,
    N8N_ENCRYPTION_KEY: 'for-contract-tests-only',
    N8N_HOST: '127.0.0.1',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_PROTOCOL: 'http',
    N8N_SECURE_COOKIE: 'false',
    N8N_RUNNERS_ENABLED: 'true',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
    // It fetches a list at boot. Others stay on: without `otel`, 2.41 runs nothing any more after one look at its features.
    ...(isOld ? { N8N_EXPRESSION_ENGINE: 'legacy' } : { N8N_DISABLED_MODULES: 'mcp-registry' }),
    ...options.environment,
  }
}

/** Readiness, and a route that answers: 1.x says ready before its routes are there. */
async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const readiness = await fetch(`${baseUrl}/healthz/readiness`)
    await readiness.arrayBuffer()
    if (readiness.status !== 200) return false
    const login = await fetch(`${baseUrl}/rest/login`)
    await login.arrayBuffer()
    return login.headers.get('content-type')?.includes('json') === true
  } catch {
    return false
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch {
    // It is gone already.
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function readStartedAtBoot(folder: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const file of await readdir(folder)) {
    if (!/^n8nEventLog.*\.log$/u.test(file)) continue
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      if (!line.includes('"n8n.execution.started-during-bootup"')) continue
      const { payload } = JSON.parse(line) as { readonly payload: { readonly executionId: string } }
      ids.add(payload.executionId)
    }
  }
  return ids
}

/** The contract job ends what a test run that was broken off left behind. */
const processFile = (pid: number): string | undefined => {
  const folder = process.env['TOOLCRIB_N8N_RUN_FOLDER']
  return folder === undefined ? undefined : join(folder, `${String(pid)}.pid`)
}

async function noteProcess(pid: number): Promise<void> {
  const file = processFile(pid)
  if (file !== undefined) await writeFile(file, '')
}

async function forgetProcess(pid: number): Promise<void> {
  const file = processFile(pid)
  if (file !== undefined) await rm(file, { force: true })
}
