import { vi } from 'vitest'
import { runCommandLine } from '../src/cli/run.ts'
import type { CommandOutcome } from './run-toolcrib.ts'

/**
 * Runs a command line in this process, one at a time: a process of its own costs more than the command. Reaches the host that runs
 * on the data folder, as a command of its own process does.
 */
export async function runInProcess(
  data: string,
  parameters: readonly string[],
): Promise<CommandOutcome> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text)
      return true
    }),
  )
  vi.stubEnv('NO_COLOR', '1')
  try {
    const exitCode = await runCommandLine(
      [...parameters, '--data', data],
      new AbortController().signal,
    )
    return { ...written, exitCode }
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}
