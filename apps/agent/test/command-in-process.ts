import { join } from 'node:path'
import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { runCommandLine } from '../src/cli/run.ts'
import { type CommandOutcome, commandEnvironment } from './run-toolcrib.ts'

/** Ends when the command before has ended: streams, environment and working folder are those of the process. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Runs a command line as `runToolcrib` does, in this process: a process of its own costs more than the command. Reaches the host
 * that runs on the data folder, as a command of its own process does. What has to do with the process itself (how it starts, ends,
 * exits, and reads its standard input) is tried by `runToolcrib`.
 */
export function runCommand(
  folder: string,
  parameters: readonly string[],
  {
    input = '',
    environment = {},
  }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<CommandOutcome> {
  const outcome = before.then(() => runAlone(folder, { parameters, input, environment }))
  before = outcome.catch(() => undefined)
  return outcome
}

/** Runs a command on a data folder that is named. */
export function runInProcess(
  data: string,
  parameters: readonly string[],
  options: { input?: string } = {},
): Promise<CommandOutcome> {
  return runCommand(join(data, '..'), [...parameters, '--data', data], options)
}

async function runAlone(
  folder: string,
  {
    parameters,
    input,
    environment,
  }: {
    parameters: readonly string[]
    input: string
    environment: Readonly<Record<string, string>>
  },
): Promise<CommandOutcome> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text)
      return true
    }),
  )
  const stdin = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin)
  const outside = { folder: process.cwd(), environment: { ...process.env } }
  replaceEnvironment(commandEnvironment(environment))
  process.chdir(folder)
  try {
    const exitCode = await runCommandLine(parameters, new AbortController().signal)
    return { ...written, exitCode }
  } finally {
    process.chdir(outside.folder)
    replaceEnvironment(outside.environment)
    for (const spy of [...spies, stdin]) spy.mockRestore()
  }
}

function replaceEnvironment(wanted: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name]
  Object.assign(process.env, wanted)
}
