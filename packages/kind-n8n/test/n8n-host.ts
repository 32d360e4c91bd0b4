import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInvoker } from '@toolcrib/invoke'
import type { N8nClient } from '@toolcrib/n8n'
import { ToolRegistry, type ToolResult } from '@toolcrib/registry'
import {
  type ApprovalSigner,
  createSigner,
  createToolsmaker,
  generateKeyPair,
  type KeyPairText,
  openFileEventStore,
  openTrustDirectory,
  type ToolBuildRequest,
  type Toolsmaker,
} from '@toolcrib/toolsmaker'
import {
  createFileN8nDeployments,
  createN8nKind,
  type N8nDeployments,
  type N8nKind,
  type N8nKindOptions,
} from '../src/index.ts'

const principal = { kind: 'agent', id: 'ada' } as const

/** A host whose n8n tools run on a server, with everything else real. */
export interface N8nHost {
  readonly directory: string
  readonly toolsmaker: Toolsmaker
  readonly registry: ToolRegistry
  readonly kind: N8nKind
  readonly deployments: N8nDeployments
  readonly signer: ApprovalSigner
  readonly keys: KeyPairText
  /** What was logged as an error or a warning. */
  readonly complaints: readonly { readonly message: string; readonly data: object }[]
  /** Proposes a version; gives its number. */
  readonly propose: (request: ToolBuildRequest) => Promise<number>
  /** Proposes, approves and activates a version; gives its number. */
  readonly make: (request: ToolBuildRequest) => Promise<number>
  readonly call: (name: string, input: object, timeoutMs?: number) => Promise<ToolResult>
  /** Types of the events of a tool, oldest first. */
  readonly history: (name: string) => Promise<readonly string[]>
  /** Ends this host and starts another on the same folders. */
  restart(options?: Partial<N8nHostOptions>): Promise<N8nHost>
  /** Ends without removing anything. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface N8nHostOptions {
  readonly client: N8nClient
  readonly inspectionLastsMs?: number
  readonly kindTimeoutMs?: number
  readonly kindOptions?: Partial<N8nKindOptions>
  readonly wrapDeployments?: (deployments: N8nDeployments) => N8nDeployments
  readonly directory?: string
  readonly privateAddresses?: readonly string[]
  /** The approver's, so that two hosts trust the same signatures. @default new ones */
  readonly keys?: KeyPairText
}

async function openTrust(
  directory: string,
  files: Readonly<Record<string, unknown>>,
): Promise<Awaited<ReturnType<typeof openTrustDirectory>>> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const [name, content] of Object.entries(files))
    // oxlint-disable-next-line no-await-in-loop -- two files
    await writeFile(join(directory, name), JSON.stringify(content), { mode: 0o600 })
  return openTrustDirectory(directory)
}

export async function openN8nHost(options: N8nHostOptions): Promise<N8nHost> {
  const { client, inspectionLastsMs = 0, kindTimeoutMs = 30_000 } = options
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'n8n-host-')))
  const { keys = generateKeyPair() } = options
  const signer = createSigner('grace', keys)
  const files = createFileN8nDeployments(join(directory, 'n8n'))
  const deployments = options.wrapDeployments?.(files) ?? files
  const kind = createN8nKind({ client, deployments, ...options.kindOptions })
  const registry = new ToolRegistry()
  const complaints: { message: string; data: object }[] = []
  const complain = (data: object, message: string): void => void complaints.push({ message, data })
  const none = (): void => undefined
  const toolsmaker = await createToolsmaker({
    store: await openFileEventStore({ directory: join(directory, 'store') }),
    // One host for many proposals, and the same one after each restart.
    trust: await openTrust(join(directory, 'trust'), {
      'approvers.json': [{ id: 'grace', name: 'Grace', publicKey: signer.publicKey }],
      'policy.json': { ownerLimits: { pending: 1_000, proposalsPerMinute: 1_000 } },
    }),
    kinds: [kind],
    registry,
    inspectionLastsMs,
    kindTimeoutMs,
    privateAddresses: options.privateAddresses ?? ['127.0.0.1'],
    logger: { debug: none, info: none, warn: complain, error: complain },
  })
  await toolsmaker.loadActiveTools()
  const done = async (): Promise<void> => undefined
  const invoker = createInvoker({
    registry,
    log: { logToolStart: done, logToolComplete: done, logToolFailure: done, logToolLate: done },
    checkCallable: (tool, who) => toolsmaker.checkCallable(tool, who),
  })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await invoker.close()
    await toolsmaker.close()
  }
  const host: N8nHost = {
    directory,
    toolsmaker,
    registry,
    kind,
    deployments,
    signer,
    keys,
    complaints,
    propose: async (request) => {
      const built = await toolsmaker.forAgent(principal).buildTool(request)
      if (built.status !== 'approval_required') throw new Error(`${built.status}: ${built.message}`)
      return built.spec.version
    },
    make: async (request) => {
      const version = await host.propose(request)
      await toolsmaker.approveTool(request.name, version, { signer })
      await toolsmaker.activateToolVersion(request.name, version, { signer })
      return version
    },
    call: (name, input, timeoutMs) =>
      invoker.invoke(name, input, { principal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
    history: async (name) =>
      (await toolsmaker.history(name)).flatMap(({ event }) =>
        event === undefined ? [] : [event.type],
      ),
    restart: async (more = {}) => {
      await stop()
      return openN8nHost({ ...options, directory, keys, ...more })
    },
    stop,
    close: async () => {
      await stop()
      // A hook that took too long may still be writing what it did.
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  return host
}
