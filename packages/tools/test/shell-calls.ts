import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { type Invoker, ToolRegistry } from '@toolcrib/registry'
import { afterAll } from 'vitest'
import { chooseContainment } from '../src/shell/containment/choose-containment.ts'
import type { CommandInput } from '../src/shell/command-input.ts'
import type { ContainmentName } from '../src/shell/containment/containment.ts'
import { type ShellOutput, type ShellToolOptions, createShellTool } from '../src/shell.ts'
import { noContext } from './no-context.ts'

const everyContainment: readonly ContainmentName[] = ['bubblewrap', 'namespace', 'process-group']

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own for each test, gone after the last one of the file. */
export function makeWorkspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-shell-')))
  folders.push(folder)
  return folder
}

/** The containments that work on this machine; the last one always does. */
export async function workingContainments(): Promise<ContainmentName[]> {
  const workspace = makeWorkspace()
  const working: ContainmentName[] = []
  for (const containment of everyContainment) {
    const request = { containment, workspace, readable: [], hidden: [], network: 'none' } as const
    if (await chooseContainment(request).catch(() => undefined)) working.push(containment)
  }
  return working
}

/** Runs a command without an invoker. */
export async function callShell(
  options: Partial<ShellToolOptions>,
  input: CommandInput,
  signal: AbortSignal = new AbortController().signal,
): Promise<ShellOutput> {
  const tool = createShellTool({ workspace: makeWorkspace(), ...options })
  const output = await tool.execute(input, signal, noContext)
  return output as ShellOutput
}

/** Runs commands as a host does. */
export function shellInvoker(options: Partial<ShellToolOptions> = {}): {
  readonly invoker: Invoker
  readonly log: ReturnType<typeof createMemoryCallLog>
} {
  const registry = new ToolRegistry()
  registry.register(createShellTool({ workspace: makeWorkspace(), ...options }))
  const log = createMemoryCallLog()
  return { invoker: createInvoker({ registry, log }), log }
}

let counter = 0

/** A number of seconds that no other process on this machine sleeps. */
export function uniqueSleep(): string {
  counter += 1
  return `98765.${process.pid}${String(counter).padStart(4, '0')}`
}

/** Ids of living processes, anywhere on this machine, with a text among their arguments. */
export function processesWith(text: string): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/u.test(name) || Number(name) === process.pid) continue
    try {
      // A process that has ended and was not collected has no arguments any more.
      if (
        readFileSync(`/proc/${name}/cmdline`, 'latin1')
          .split('\0')
          .some((word) => word === text)
      )
        found.push(Number(name))
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}
