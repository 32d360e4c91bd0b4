import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, type ToolContext, ToolRegistry, silentLogger } from '@toolcrib/registry'
import {
  type ApprovalPolicyFields,
  type ApprovalSigner,
  type EventStore,
  type MemoryTrust,
  type SignedDecision,
  type ToolIntent,
  type ToolKind,
  type Toolsmaker,
  type VersionStatement,
  type LifecycleEvent,
  createMemoryEventStore,
  createMemoryTrust,
  createSigner,
  createToolsmaker,
  generateKeyPair,
  openFileEventStore,
  sealStatement,
} from '@toolcrib/toolsmaker'
import { createAdderKind } from './adder-kind.ts'

export const agent = { kind: 'agent', id: 'ada' } as const
export const otherAgent = { kind: 'agent', id: 'bob' } as const

/** An approver with a key in memory. */
export function makeSigner(id: string): ApprovalSigner {
  return createSigner(id, generateKeyPair())
}

export interface Workshop {
  readonly maker: Toolsmaker
  readonly registry: ToolRegistry
  readonly trust: MemoryTrust
  readonly grace: ApprovalSigner
  readonly clock: { now: number }
}

export interface WorkshopOptions {
  readonly store?: EventStore
  readonly trust?: MemoryTrust
  readonly grace?: ApprovalSigner
  readonly kinds?: readonly ToolKind[]
  readonly registry?: ToolRegistry
  readonly policy?: ApprovalPolicyFields
  readonly clock?: { now: number }
  readonly logger?: Logger
  readonly limits?: Parameters<typeof createToolsmaker>[0]['limits']
  readonly kindTimeoutMs?: number
  readonly inspectionLastsMs?: number
  readonly reservedNames?: readonly string[]
}

/** A toolsmaker with one approver, grace, over a store in memory unless another is given. */
export async function openWorkshop(options: WorkshopOptions = {}): Promise<Workshop> {
  const grace = options.grace ?? makeSigner('grace')
  const trust =
    options.trust ??
    createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
      ...(options.policy === undefined ? {} : { policy: options.policy }),
    })
  const registry = options.registry ?? new ToolRegistry()
  const clock = options.clock ?? { now: Date.UTC(2030, 0, 1) }
  const maker = await createToolsmaker({
    store: options.store ?? createMemoryEventStore(),
    trust,
    kinds: options.kinds ?? [createAdderKind()],
    registry,
    now: () => clock.now,
    logger: options.logger ?? silentLogger,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.reservedNames === undefined ? {} : { reservedNames: options.reservedNames }),
    ...(options.inspectionLastsMs === undefined
      ? {}
      : { inspectionLastsMs: options.inspectionLastsMs }),
    ...(options.kindTimeoutMs === undefined ? {} : { kindTimeoutMs: options.kindTimeoutMs }),
  })
  await maker.loadActiveTools()
  return { maker, registry, trust, grace, clock }
}

/** What an agent wants: a tool that adds a number. */
export function adderIntent(overrides: Partial<ToolIntent> = {}): ToolIntent {
  return {
    name: 'plus_some',
    purpose: 'Adds a fixed number to a value',
    inputs: { value: { type: 'number', description: 'The value' } },
    definition: { add: 1 },
    ...overrides,
  }
}

/** Runs a registered tool directly, if it is callable now. */
export async function callTool(
  { maker, registry }: Pick<Workshop, 'maker' | 'registry'>,
  name: string,
  input: unknown,
): Promise<unknown> {
  const tool = registry.get(name)
  if (tool === undefined) return 'not registered'
  const refusal = maker.checkCallable(tool, agent)
  if (refusal !== undefined) return refusal.code
  return tool.execute(input, new AbortController().signal, { principal: agent } as ToolContext)
}

/** The same keys, and nothing remembered of any log. */
export function withoutMemory(trust: MemoryTrust): MemoryTrust {
  const checkpoints = new Map<string, Parameters<MemoryTrust['saveCheckpoint']>[1]>()
  return {
    ...trust,
    readCheckpoint: async (namespace) => checkpoints.get(namespace),
    saveCheckpoint: async (namespace, signed) => {
      checkpoints.set(namespace, signed)
    },
  }
}

/** A folder of its own for one test, and a store in it. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'toolsmaker-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export async function openFolder(path: string, namespace = 'default'): Promise<EventStore> {
  return openFileEventStore({ directory: join(path, 'store'), namespace })
}

/** All events of a log, as they stand there. */
export async function readEvents(path: string): Promise<LifecycleEvent[]> {
  const store = await openFolder(path)
  const events = (await store.read()).flatMap(({ event }) => (event === undefined ? [] : [event]))
  await store.close()
  return structuredClone(events)
}

/** Writes a whole store anew, with every hash recomputed, as somebody with write access could. */
export async function rewriteStore(
  path: string,
  events: readonly LifecycleEvent[],
  namespace = 'default',
): Promise<void> {
  await rm(join(path, 'store'), { recursive: true, force: true })
  const store = await openFolder(path, namespace)
  const [first, ...others] = events
  // The first row stands alone, as it did: its hash is the identity of the log.
  if (first !== undefined) await store.append([first], 0)
  if (others.length > 0) await store.append(others, 1)
  await store.close()
}

/** What a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'nothing was thrown'
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error)
  }
}

/** What was signed, as it stands in an envelope. */
export function statementIn(envelope: SignedDecision | undefined): VersionStatement {
  const text = Buffer.from(envelope?.payload ?? '', 'base64').toString()
  return JSON.parse(text) as VersionStatement
}

/** The envelope with another statement under the same signature. */
export function withStatement(envelope: SignedDecision, changes: object): SignedDecision {
  const [{ keyid: keyId, sig: signature }] = envelope.signatures
  const statement = { ...statementIn(envelope), ...changes }
  return sealStatement(envelope.payloadType, { statement, keyId, signature })
}
