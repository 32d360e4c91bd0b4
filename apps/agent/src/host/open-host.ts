import { assertOptions } from '@toolcrib/registry'
import { setTimeout as wait } from 'node:timers/promises'
import { resolve } from 'node:path'
import { type DataFolder, locateData } from './data-folder.ts'
import { hostError } from '../host-error.ts'
import { realPath } from '../settings/workspace.ts'
import { kernelOptionNames } from './kernel-option-names.ts'
import type { KernelOptions } from './kernel.ts'
import { namedWorkspace } from '../settings/named-workspace.ts'
import { type Envelope, openEnvelope } from './envelope.ts'
import type { Host } from './host.ts'
import { assertOwnSocket } from './own-socket.ts'
import { callSocket, isNobodyListening } from './socket-client.ts'

/** How a host is reached. */
export interface OpenHostOptions extends KernelOptions {
  /** How long a host that is starting, stopping or busy is waited for, in milliseconds. @default 15_000 */
  readonly settleMs?: number
  readonly signal?: AbortSignal
}

/**
 * Reaches the host that runs on the data folder; where none does, starts one in this process for as long as the command
 * needs it.
 *
 * @throws {ToolError} HOST_BUSY when another process owns the data folder and does not answer.
 * @throws {ToolError} HOST_DIFFERS when the running host believes another trust folder.
 * @throws the signal's reason when it is aborted.
 */
export async function openHost(openOptions: OpenHostOptions): Promise<Host> {
  assertOptions<OpenHostOptions>('openHost', openOptions, {
    ...kernelOptionNames,
    settleMs: true,
    signal: true,
  })
  const { settleMs = 15_000, signal, ...options } = openOptions
  const folder = locateData(options)
  const giveUpAt = performance.now() + settleMs
  const waiting = signal === undefined ? {} : { signal }
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await reachHost(folder, { giveUpAt, signal, workspace: wantedWorkspace(options) })
    } catch (error) {
      if (!isNobodyListening(error)) throw error
    }
    try {
      // Loaded only when needed: a command that reaches a running host starts three times faster without it.
      const { serveHost } = await import('./serve-host.ts')
      return await serveHost(options, { callLog: 'at-first-use' })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'FOLDER_LOCKED') throw error
      if (performance.now() > giveUpAt) throw busy(folder, error)
      await wait(100, undefined, waiting)
    }
  }
}

/** The workspace that the caller named; one that nobody named may be any. */
function wantedWorkspace(options: KernelOptions): string | undefined {
  const named = namedWorkspace(options)
  return named === undefined
    ? undefined
    : realPath(resolve(options.workingFolder ?? process.cwd(), named))
}

async function reachHost(
  folder: DataFolder,
  {
    giveUpAt,
    signal,
    workspace,
  }: {
    readonly giveUpAt: number
    readonly signal: AbortSignal | undefined
    readonly workspace: string | undefined
  },
): Promise<Host> {
  const host = remoteHost(folder)
  const patience = new AbortController()
  const timer = setTimeout(
    () => patience.abort(busy(folder)),
    Math.max(0, giveUpAt - performance.now()),
  )
  const signals = [patience.signal, ...(signal === undefined ? [] : [signal])]
  try {
    const health = await host.call('health', {}, AbortSignal.any(signals))
    if (health.trustFolder !== folder.trust)
      throw hostError(
        'HOST_DIFFERS',
        `The running host believes the trust folder ${health.trustFolder}, this command was given ${folder.trust}. Leave out --trust, or stop the host first.`,
      )
    if (workspace !== undefined && health.workspace !== workspace)
      throw hostError(
        'HOST_DIFFERS',
        `The running host has the workspace ${health.workspace ?? 'none'}, this command was given ${workspace}. Leave out --workspace and TOOLCRIB_WORKSPACE, or stop the host first.`,
      )
    return host
  } catch (error) {
    for (const { aborted, reason } of signals) if (aborted) throw reason
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function remoteHost(folder: DataFolder): Host {
  return {
    folder,
    isRemote: true,
    call: async (operation, input, signal) => {
      await assertOwnSocket(folder.socket)
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

function busy(folder: DataFolder, cause?: unknown): Error {
  return hostError(
    'HOST_BUSY',
    `Another process owns ${folder.root} and does not answer. It may be starting or shutting down: try again. If it hangs, end it.`,
    { cause },
  )
}
