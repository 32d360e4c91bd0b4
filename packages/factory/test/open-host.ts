import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInvoker } from '@toolcrib/invoke'
import {
  type Logger,
  type Principal,
  type ToolDefinition,
  ToolRegistry,
  type ToolResult,
} from '@toolcrib/registry'
import {
  type ApprovalPolicyFields,
  type ApprovalSigner,
  createMemoryTrust,
  createToolsmaker,
  type EventStore,
  openFileEventStore,
  type ToolKind,
  type Toolsmaker,
} from '@toolcrib/toolsmaker'
import { createFactoryTools } from '../src/index.ts'
import { createComputeKind } from '@toolcrib/kind-compute'

/** What a host of the tests was told to log. */
interface LoggedLine {
  readonly level: string
  readonly message: string
  readonly data: Record<string, unknown>
}

/** A host with everything real: a file store, a registry, a toolsmaker, an invoker, the factory tools. */
export interface TestHost {
  readonly directory: string
  readonly registry: ToolRegistry
  readonly toolsmaker: Toolsmaker
  readonly signer: ApprovalSigner
  readonly logger: Logger
  readonly lines: readonly LoggedLine[]
  /** Calls a tool as an agent; gives the output. */
  call(agent: string, toolName: string, input: unknown): Promise<Record<string, unknown>>
  invoke(principal: Principal, toolName: string, input: unknown): Promise<ToolResult>
  /** Approves and activates a version as a person. */
  approve(name: string, version: number): Promise<void>
  /** Ends this host and starts another on the same folder. */
  restart(): Promise<TestHost>
  close(): Promise<void>
}

interface HostSetup {
  readonly directory: string
  readonly signer: ApprovalSigner
  readonly trust: ReturnType<typeof createMemoryTrust>
  readonly parts: HostParts
}

function createPerson(id: string): ApprovalSigner {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync('ed25519')
  return {
    approverId: id,
    publicKey: String(publicKey.export({ format: 'jwk' }).x),
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  }
}

/** What a host has beside the compute kind, or instead of its factory tools. */
export interface HostParts {
  readonly kinds?: readonly ToolKind[]
  /** @default a file store in a new folder */
  readonly store?: EventStore
  readonly makeTools?: (toolsmaker: Toolsmaker) => readonly ToolDefinition[]
  /** That tools may ask for. @default none */
  readonly privateAddresses?: readonly string[]
}

/** Opens a host on a new folder. */
export async function openHost(
  policy: ApprovalPolicyFields = {},
  parts: HostParts = {},
): Promise<TestHost> {
  const directory = await mkdtemp(join(tmpdir(), 'factory-'))
  const signer = createPerson('grace')
  const approvers = [{ id: 'grace', name: 'Grace', publicKey: signer.publicKey }]
  return startHost({ directory, signer, trust: createMemoryTrust({ approvers, policy }), parts })
}

async function startHost(setup: HostSetup): Promise<TestHost> {
  const { directory, signer, trust } = setup
  const {
    kinds = [],
    privateAddresses = [],
    makeTools = (made) => createFactoryTools({ toolsmaker: made }),
  } = setup.parts
  const lines: LoggedLine[] = []
  const log =
    (level: string) =>
    (data: object, message: string): void => {
      lines.push({ level, message, data: { ...data } })
    }
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const registry = new ToolRegistry()
  const store = setup.parts.store ?? (await openFileEventStore({ directory }))
  const toolsmaker = await createToolsmaker({
    store,
    trust,
    kinds: [createComputeKind(), ...kinds],
    registry,
    privateAddresses,
  })
  for (const tool of makeTools(toolsmaker)) registry.register(tool)
  const done = async (): Promise<void> => undefined
  const invoker = createInvoker({
    registry,
    log: { logToolStart: done, logToolComplete: done, logToolFailure: done, logToolLate: done },
    checkCallable: (tool, principal) => toolsmaker.checkCallable(tool, principal),
  })
  const stop = async (): Promise<void> => {
    await invoker.close()
    await toolsmaker.close()
  }
  const host: TestHost = {
    directory,
    registry,
    toolsmaker,
    signer,
    logger,
    lines,
    invoke: (principal, toolName, input) => invoker.invoke(toolName, input, { principal }),
    call: async (agent, toolName, input) => {
      const result = await host.invoke({ kind: 'agent', id: agent }, toolName, input)
      if (!result.success) throw new Error(`${result.errorCode}: ${result.error}`)
      return result.output as Record<string, unknown>
    },
    approve: async (name, version) => {
      await toolsmaker.approveTool(name, version, { signer })
      await toolsmaker.activateToolVersion(name, version, { signer })
    },
    restart: async () => {
      await stop()
      return startHost(setup)
    },
    close: async () => {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return host
}
