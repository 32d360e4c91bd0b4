import { randomBytes } from 'node:crypto'
import { usualSearchPath, findCommand } from '../command-lookup.ts'
import { isInside } from '../command-folder.ts'
import { createBubblewrap } from './containment-bubblewrap.ts'
import { createNamespaces } from './containment-namespace.ts'
import { processGroup } from './containment-process-group.ts'
import { type Containment, type ContainmentName, sendSignal } from './containment.ts'
import { builtInToolError } from '../../error-catalogue.ts'
import { startProcess } from '../start-process.ts'

/** What containment has to fit. */
export interface ContainmentRequest {
  readonly containment: 'best' | ContainmentName
  readonly workspace: string
  readonly readable: readonly string[]
  readonly hidden: readonly string[]
  readonly network: 'none' | 'host'
}

/** How long a trial may take before it counts as failed, in milliseconds. */
const trialTimeoutMs = 5_000

const howToGet: Record<'bubblewrap' | 'namespace', string> = {
  bubblewrap:
    'Install bubblewrap (apt-get install bubblewrap), and let processes make user namespaces: ' +
    'sysctl kernel.unprivileged_userns_clone=1 or user.max_user_namespaces above 0; on Ubuntu ' +
    'kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap; in Docker ' +
    '--security-opt seccomp=unconfined --security-opt systempaths=unconfined.',
  namespace:
    'Install util-linux (unshare, setpriv), and let processes make user namespaces: ' +
    'sysctl user.max_user_namespaces above 0; in Docker --security-opt seccomp=unconfined ' +
    '--security-opt systempaths=unconfined.',
}

/**
 * Finds out by trying which containment works here.
 *
 * @param timeoutMs how long each trial may take.
 * @throws {ToolError} CONTAINMENT_UNAVAILABLE when the one that is asked for does not.
 */
export async function chooseContainment(
  request: ContainmentRequest,
  timeoutMs: number = trialTimeoutMs,
): Promise<Containment> {
  const wanted = request.containment
  if (wanted === 'process-group') return processGroup
  const names = wanted === 'best' ? (['bubblewrap', 'namespace'] as const) : ([wanted] as const)
  let problem = ''
  for (const name of names) {
    try {
      const made = name === 'bubblewrap' ? makeBubblewrap(request) : makeNamespaces(request)
      await tryOut(made, { folder: request.workspace, timeoutMs })
      return made
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
  }
  if (wanted === 'best') return processGroup
  throw builtInToolError(
    'CONTAINMENT_UNAVAILABLE',
    `Commands were to run in the containment "${wanted}", which does not work here: ${problem} ${howToGet[wanted]}`,
    { data: { containment: wanted } },
  )
}

function makeBubblewrap(request: ContainmentRequest): Containment {
  return createBubblewrap({ ...request, bwrap: findLauncher('bwrap', request) })
}

function makeNamespaces(request: ContainmentRequest): Containment {
  return createNamespaces(
    {
      unshare: findLauncher('unshare', request),
      setpriv: findLauncher('setpriv', request),
      env: findLauncher('env', request),
    },
    request.network,
  )
}

/** A program that runs outside of every containment, so never one that a command may have put there. */
function findLauncher(name: string, { workspace }: ContainmentRequest): string {
  if (process.platform !== 'linux') throw new Error('It needs Linux.')
  return findCommand(name, {
    searchPath: process.env['PATH'] ?? usualSearchPath,
    folder: '/',
    isVisible: (path) => !isInside(workspace, path),
  })
}

/** Runs a command that says a word only this trial knows. */
async function tryOut(containment: Containment, place: TrialPlace): Promise<void> {
  const word = randomBytes(8).toString('hex')
  const said = await runTrial(containment, place, word)
  if (said.output !== `${word}\n`) throw new Error(said.problem || 'A trial gave no output.')
}

interface TrialPlace {
  readonly folder: string
  readonly timeoutMs: number
}

function runTrial(
  containment: Containment,
  { folder, timeoutMs }: TrialPlace,
  word: string,
): Promise<{ readonly output: string; readonly problem: string }> {
  const file = findCommand('echo', {
    searchPath: usualSearchPath,
    folder: '/',
    isVisible: (path) => containment.isVisible(path),
  })
  const launch = containment.launch({ file, args: [word], folder, environment: {} })
  return new Promise((resolve, reject) => {
    const child = startProcess(launch, false)
    child.on('error', reject)
    // Without descriptors there are no streams at all, whatever their types say.
    if (child.pid === undefined) return
    const group = -child.pid
    const timer = setTimeout(() => {
      // Whatever it started may hold its streams open, so nothing is waited for.
      sendSignal(group, 'SIGKILL')
      for (const stream of child.stdio) stream?.destroy()
      reject(new Error(`A trial took longer than ${timeoutMs} ms.`))
    }, timeoutMs)
    let output = ''
    let problem = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (problem += text))
    child.stdio[3]?.on('data', () => undefined)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ output, problem: problem.trim().slice(0, 500) })
    })
  })
}
