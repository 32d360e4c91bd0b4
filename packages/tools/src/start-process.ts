import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Launch } from './containment.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'

/** Starts a process. One that cannot be started says so by its `error` event, or by throwing. */
export function startProcess(launch: Launch, hasStdin: boolean): ChildProcess {
  return spawn(launch.file, launch.args, {
    cwd: launch.folder,
    env: { ...launch.environment },
    stdio: descriptors(launch, hasStdin),
    // A session of its own: no terminal, and one group to signal.
    detached: true,
    shell: false,
    windowsHide: true,
  })
}

function descriptors({ reports = false }: Launch, hasStdin: boolean): StdioOptions {
  const stdio: ('pipe' | 'ignore' | number)[] = [hasStdin ? 'pipe' : 'ignore', 'pipe', 'pipe']
  if (reports) stdio.push('pipe')
  const { numbers, substitute } = inheritedDescriptors()
  for (const number of numbers) {
    if (number < stdio.length) continue
    while (stdio.length < number) stdio.push('ignore')
    stdio[number] = substitute
  }
  return stdio
}
