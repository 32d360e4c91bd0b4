import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Launch } from './containment/containment.ts'
import { inheritedDescriptors } from './containment/inherited-descriptors.ts'

/** Starts a process. One that cannot be started says so by its `error` event, or by throwing. */
export function startProcess(launch: Launch, hasStdin: boolean): ChildProcess {
  const opened: number[] = []
  try {
    for (const path of launch.files ?? []) opened.push(openSync(path, 'r'))
    return spawn(launch.file, launch.args, {
      cwd: launch.folder,
      env: { ...launch.environment },
      stdio: descriptors([
        hasStdin ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
        ...(launch.reports === true ? (['pipe'] as const) : []),
        ...opened,
      ]),
      // A session of its own: no terminal, and one group to signal.
      detached: true,
      shell: false,
      windowsHide: true,
    })
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** What a process gets, and something empty in place of what it would inherit. */
function descriptors(wanted: readonly ('pipe' | 'ignore' | number)[]): StdioOptions {
  const stdio = [...wanted]
  const { numbers, substitute } = inheritedDescriptors()
  for (const number of numbers) {
    if (number < wanted.length) continue
    while (stdio.length < number) stdio.push('ignore')
    stdio[number] = substitute
  }
  return stdio
}
