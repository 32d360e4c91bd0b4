import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type DataFolder, resolveDataFolder } from '../../host/data-folder.ts'
import type { Host } from '../../host/host.ts'
import { openHost } from '../../host/open-host.ts'
import { hostError } from '../../host-error.ts'
import { createFileLogger } from '../../host/host-logger.ts'
import type { KernelOptions } from '../../host/kernel.ts'
import { commandPrefix } from './command-prefix.ts'
import { type Printer, createPrinter } from '../printer.ts'

/** The options that every command takes. */
interface GlobalOptions {
  readonly data?: string
  readonly trust?: string
  readonly workspace?: string
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

/**
 * The context of one run of a command, from the options that every command takes.
 *
 * @throws {ToolError} USAGE when a folder is given as nothing.
 */
export function contextOf(command: Command, signal: AbortSignal): CommandContext {
  const {
    data,
    trust,
    workspace,
    databaseUrl,
    json = false,
  }: GlobalOptions = command.optsWithGlobals()
  for (const [option, value] of Object.entries({
    '--data': data,
    '--trust': trust,
    '--workspace': workspace,
  }))
    if (value?.trim() === '')
      throw hostError('USAGE', `${option} is empty. Name a folder, or leave it out.`)
  const folder = resolveDataFolder({ data, trust })
  const kernelOptions = (): KernelOptions => {
    makeFolder(folder.root)
    return {
      data,
      trust,
      workspace,
      databaseUrl,
      logger: createFileLogger(join(folder.root, 'host.log')),
    }
  }
  return {
    printer: createPrinter({ json }),
    prefix: [
      commandPrefix(),
      // Absolute, so that a printed command works from any folder. Not the database: its address may hold a password.
      ...(data === undefined ? [] : ['--data', quoteForShell(folder.root)]),
      ...(trust === undefined ? [] : ['--trust', quoteForShell(folder.trust)]),
      ...(workspace === undefined ? [] : ['--workspace', quoteForShell(resolve(workspace))]),
    ].join(' '),
    folder,
    signal,
    kernelOptions,
    withHost: async (action) => {
      const host = await openHost({ ...kernelOptions(), signal })
      try {
        return await action(host)
      } finally {
        await host.close()
      }
    },
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw hostError(
      'USAGE',
      `The data folder ${path} cannot be made: ${(cause as Error).message}. Choose another with --data.`,
      {
        cause,
      },
    )
  }
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
