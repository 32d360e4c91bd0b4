import { userInfo } from 'node:os'
import type { Principal } from '@toolcrib/registry'
import { type BootOptions, type Kernel, type KernelOptions, bootKernel } from './kernel.ts'
import { runOperation } from '../operations/catalogue.ts'
import { type Envelope, openEnvelope } from './envelope.ts'
import type { Host } from './host.ts'
import { listenOnSocket } from './socket-server.ts'

/** A host in this process that others can reach over its socket. */
export interface ServedHost extends Host {
  readonly kernel: Kernel
}

/** The person at the command line, as the operating system knows them. */
export function localPerson(): Principal {
  return { kind: 'person', id: userInfo().username }
}

/** Starts a host in this process and lets the command line of other processes reach it. */
export async function serveHost(
  options: KernelOptions,
  how: BootOptions = { callLog: 'at-start' },
): Promise<ServedHost> {
  const kernel = await bootKernel(options, how)
  const principal = localPerson()
  const run = (name: string, input: unknown, signal: AbortSignal): Promise<Envelope> =>
    runOperation(name, input, { kernel, principal, signal })
  const drain = options.drainMs === undefined ? {} : { drainMs: options.drainMs }
  let socket: Awaited<ReturnType<typeof listenOnSocket>>
  try {
    socket = await listenOnSocket(kernel.folder.socket, run, drain)
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
