import { setTimeout as wait } from 'node:timers/promises'
import { type DataFolder, resolveDataFolder } from '../data-folder.ts'
import type { KernelOptions } from '../kernel.ts'
import type { OperationInput, OperationName, OperationOutput } from '../operations/catalogue.ts'
import { type Envelope, openEnvelope } from './envelope.ts'
import { callSocket, isNobodyListening } from './socket-client.ts'
import { hostError } from '../host-error.ts'

/** A host that can be asked, in this process or in another. */
export interface Host {
  readonly folder: DataFolder
  /** Whether another process runs it. */
  readonly isRemote: boolean
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    signal?: AbortSignal,
  ): Promise<OperationOutput<Name>>
  /** Hangs up; a host in this process is shut down. */
  close(): Promise<void>
}

function remoteHost(folder: DataFolder): Host {
  return {
    folder,
    isRemote: true,
    call: async (operation, input, signal) => {
      const envelope = await callSocket(folder.socket, {
        operation,
        input,
        ...(signal === undefined ? {} : { signal }),
      })
      return openEnvelope(envelope as Envelope<never>)
    },
    close: async () => undefined,
  }
}

/** How long a command waits for a host that is just starting or stopping, in milliseconds. */
const settleMs = 15_000

/**
 * Reaches the host that runs on the data folder; where none does, starts one in this process for as long as the command
 * needs it.
 *
 * @throws {ToolError} HOST_BUSY when another process owns the data folder and does not answer.
 */
export async function openHost(options: KernelOptions): Promise<Host> {
  const folder = resolveDataFolder(options)
  const giveUpAt = performance.now() + settleMs
  for (;;) {
    const host = remoteHost(folder)
    try {
      await host.call('health', {})
      return host
    } catch (error) {
      if (!isNobodyListening(error)) throw error
    }
    try {
      // Loaded only when needed: a command that reaches a running host starts three times faster without it.
      const { serveHost } = await import('./serve-host.ts')
      return await serveHost(options)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'FOLDER_LOCKED') throw error
      if (performance.now() > giveUpAt)
        throw hostError(
          'HOST_BUSY',
          `Another process owns ${folder.root} and does not answer. It may be shutting down: try again, or see which process holds it with "doctor".`,
          { cause: error },
        )
      await wait(100)
    }
  }
}
