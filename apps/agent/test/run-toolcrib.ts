import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a command printed and how it ended. */
export interface CommandOutcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

const main = resolve(import.meta.dirname, '../src/main.ts')

/** What the second compiler of WebAssembly costs is more than it brings to a host that lives for seconds. */
const quickCompiler = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? ['--liftoff-only'] : []

/** The product's deadlines do not decide tests: a host may start on a busy machine. */
const patience = pathToFileURL(resolve(import.meta.dirname, '../../../test/patient-deadlines.ts'))

/** What a command finds in its environment. */
export function commandEnvironment(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  // Tests start many hosts; reading the sources is a quarter of the time of each.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME, NO_COLOR: '1', NODE_COMPILE_CACHE, ...environment }
}

/** Starts the command line as a user would, from source, on a data folder. */
export function startToolcrib(
  folder: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@toolcrib/source',
      `--import=${patience.href}`,
      ...quickCompiler,
      main,
      ...parameters,
    ],
    {
      cwd: folder,
      env: commandEnvironment(environment),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
}

/** Runs a command to its end. */
export async function runToolcrib(
  folder: string,
  parameters: readonly string[],
  {
    input = '',
    environment = {},
  }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<CommandOutcome> {
  const child = startToolcrib(folder, parameters, environment)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin?.end(input)
  const exitCode = await new Promise<number | null>((done) => child.once('close', done))
  return {
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    exitCode,
  }
}

/** A folder of its own for a test, removed afterwards. */
export function makeTemporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'toolcrib-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Resolves when what a process prints matches, with everything it printed until then. */
export function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (pattern.test(text)) done(text)
    })
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('close', () =>
      fail(new Error(`Ended before ${String(pattern)} was printed:\n${text}`)),
    )
  })
}

/** Whether bubblewrap can keep commands apart on this machine. */
export function canSandbox(): boolean {
  const flags = ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-net']
  const mounts = ['--ro-bind', '/', '/', '--proc', '/proc']
  return spawnSync('bwrap', [...flags, ...mounts, 'true']).status === 0
}
