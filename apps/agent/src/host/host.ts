import { userInfo } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Principal } from '@toolcrib/registry'
import { type DataFolder, resolveDataFolder } from '../data-folder.ts'
import { type Kernel, type KernelOptions, createKernel } from '../kernel.ts'
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  runOperation,
} from '../operations/catalogue.ts'
import { type Envelope, openEnvelope } from './envelope.ts'
import { callSocket, isNobodyListening } from './socket-client.ts'
import { listenOnSocket } from './socket-server.ts'
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

/** A host in this process that others can reach over its socket. */
export interface ServedHost extends Host {
  readonly kernel: Kernel
}

/** The person at the command line, as the operating system knows them. */
export function localPerson(): Principal {
  return { kind: 'person', id: userInfo().username }
}

/** Starts a host in this process and lets the command line of other processes reach it. */
export async function serveHost(options: KernelOptions): Promise<ServedHost> {
  const kernel = await createKernel(options)
  const principal = localPerson()
  const run = (name: string, input: unknown, signal: AbortSignal): Promise<Envelope> =>
    runOperation(name, input, { kernel, principal, signal })
  let socket: Awaited<ReturnType<typeof listenOnSocket>>
  try {
    socket = await listenOnSocket(kernel.folder.socket, run)
  } catch (error) {
    await kernel.close()
    throw error
  }
  return {
    kernel,
    folder: kernel.folder,
    isRemote: false,
    call: async (name, input, signal = new AbortController().signal) =>
      openEnvelope((await run(name, input, signal)) as Envelope<never>),
    close: async () => {
      await socket.close()
      await kernel.close()
    },
  }
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
