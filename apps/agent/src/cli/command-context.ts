import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type DataFolder, resolveDataFolder } from '../data-folder.ts'
import { type Host, openHost } from '../host/host.ts'
import { createFileLogger } from '../host-logger.ts'
import type { KernelOptions } from '../kernel.ts'
import { commandPrefix } from './command-prefix.ts'
import { type ExitCode, exitCodes } from './exit-code.ts'
import { type Printer, createPrinter } from './printer.ts'

/** The options that every command takes. */
export interface GlobalOptions {
  readonly data?: string
  readonly trust?: string
  readonly databaseUrl?: string
  readonly json?: boolean
}

/** What a command works with. */
export interface CommandContext {
  readonly printer: Printer
  /** How this program is started, for commands that are printed. */
  readonly prefix: string
  readonly folder: DataFolder
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal
  kernelOptions(): KernelOptions
  /** Reaches the running host, or one in this process, for as long as the action takes. */
  withHost<Result>(action: (host: Host) => Promise<Result>): Promise<Result>
}

/** What a command does; its answer is the exit code. @default exitCodes.ok */
export type Action<Parameters extends unknown[]> = (
  context: CommandContext,
  ...parameters: Parameters
) => Promise<ExitCode | void>

/** A command's own options come last in what commander hands over; before them its arguments. */
export function contextOf(command: Command, signal: AbortSignal): CommandContext {
  const { data, trust, databaseUrl, json = false }: GlobalOptions = command.optsWithGlobals()
  const folder = resolveDataFolder({ data, trust })
  const kernelOptions = (): KernelOptions => {
    mkdirSync(folder.root, { recursive: true, mode: 0o700 })
    return { data, trust, databaseUrl, logger: createFileLogger(join(folder.root, 'host.log')) }
  }
  return {
    printer: createPrinter({ json }),
    prefix: commandPrefix(),
    folder,
    signal,
    kernelOptions,
    withHost: async (action) => {
      const host = await openHost(kernelOptions())
      try {
        return await action(host)
      } finally {
        await host.close()
      }
    },
  }
}

/** Turns what an action answers, or throws, into the exit code of the process. */
export async function conclude(run: () => Promise<ExitCode | void>): Promise<void> {
  process.exitCode = (await run()) ?? exitCodes.ok
}
