import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type DataFolder, resolveDataFolder } from '../data-folder.ts'
import { type Host, openHost } from '../host/host.ts'
import { createFileLogger } from '../host-logger.ts'
import type { KernelOptions } from '../kernel.ts'
import { commandPrefix } from './command-prefix.ts'
import { type Printer, createPrinter } from './printer.ts'

/** The options that every command takes. */
interface GlobalOptions {
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

/** The context of one run of a command, from the options that every command takes. */
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
