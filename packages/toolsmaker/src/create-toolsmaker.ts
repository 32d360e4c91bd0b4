import { proposalLimitNames } from './proposals/proposal-limits.ts'
import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { createAgentSurface } from './surfaces/agent-surface.ts'
import { readSince } from './events/read-since.ts'
import { rateWindowMs } from './proposals/proposal-rate.ts'
import { assertApart } from './trust/trust-directory.ts'
import { createOperatorSurface } from './surfaces/operator-surface.ts'
import { toolsmakerError } from './error-catalogue.ts'
import { recordExpiry } from './approvals/expire.ts'
import { LifecycleEngine } from './lifecycle-engine.ts'
import { endShare } from './activation/end-share.ts'
import { restorePause } from './activation/pause.ts'
import { ProjectionWriter } from './projections/projection-writer.ts'
import type { Toolsmaker } from './toolsmaker.ts'
import type { ToolsmakerOptions } from './toolsmaker-options.ts'

const toolsmakerOptionNames: KnownOptions<ToolsmakerOptions> = {
  store: true,
  trust: true,
  kinds: true,
  registry: true,
  reservedNames: true,
  privateAddresses: true,
  namespace: true,
  now: true,
  logger: true,
  limits: proposalLimitNames,
  kindTimeoutMs: true,
  proposalsAtOnce: true,
  inspectionLastsMs: true,
  decisionMaxAgeMs: true,
}

/**
 * Builds the lifecycle over a store, a trust and kinds. Nothing is in the registry before
 * {@link Toolsmaker.loadActiveTools} was called.
 *
 * @throws {ToolError} TRUST_MISPLACED when the folders of trust and store contain each other.
 * @throws {ToolError} STORE_INVALID when the namespace is not that of the store, or a kind has no proper name.
 */
export async function createToolsmaker(options: ToolsmakerOptions): Promise<Toolsmaker> {
  assertOptions<ToolsmakerOptions>('createToolsmaker', options, toolsmakerOptionNames)
  const { kinds, namespace, store, trust } = options
  if (namespace !== undefined && namespace !== store.namespace)
    throw toolsmakerError(
      'STORE_INVALID',
      `The store is that of namespace "${store.namespace}", not "${namespace}". Open the right one.`,
    )
  for (const [index, { kind }] of kinds.entries()) {
    const isTwice = kinds.findIndex((other) => other.kind === kind) !== index
    if (typeof kind === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(kind) && !isTwice) continue
    throw toolsmakerError(
      'STORE_INVALID',
      `A kind must have a name of its own, of lower-case letters, digits and "-", got ${JSON.stringify(kind)?.slice(0, 60)}.`,
    )
  }
  if (trust.directory !== undefined && store.directory !== undefined)
    await assertApart(trust.directory, store.directory)
  await trust.refresh()
  const engine = new LifecycleEngine(options)
  await engine.catchUp()
  const since = engine.now() - rateWindowMs
  engine.quotas.restore(await readSince(store, { end: engine.state.sequence, since }))
  await engine.verify()
  if (engine.verified.problem !== undefined)
    engine.logger.error({ problem: engine.verified.problem }, 'The event log is not what it was')
  await beginLog(engine)
  await restorePause(engine)
  const writer =
    store.directory === undefined ? undefined : await ProjectionWriter.open(engine, store.directory)
  if (writer !== undefined) engine.followChanges((changed) => writer.follow(changed))
  engine.callables.onExpired((name) => expireLater(engine, name))
  engine.callables.onShareEnded((name) => {
    engine.queue
      .run(() => endShare(engine, name))
      .catch((error: unknown) => {
        engine.logger.warn({ error, name }, 'A share that has run out could not be taken back')
      })
  })
  await reportRecovery(engine)
  // In the background: reading tens of thousands of files must not delay the tools.
  writer?.check().catch((error: unknown) => {
    engine.logger.debug({ error }, 'The readable files were not checked to the end')
  })
  return createOperatorSurface(engine, {
    forAgent: (principal) => createAgentSurface(engine, principal),
    writer,
  })
}

function expireLater(engine: LifecycleEngine, name: string): void {
  const active = engine.state.tools.get(name)?.active
  const record = active === undefined ? undefined : engine.state.get(name, active)
  if (record === undefined) return
  engine.queue
    .run(() => recordExpiry(engine, record))
    .catch((error: unknown) => {
      engine.logger.warn({ error, name }, 'That an approval has run out could not be recorded')
    })
}

/** A log that cannot be written yet is begun before the first signature. */
async function beginLog(engine: LifecycleEngine): Promise<void> {
  try {
    await engine.begin()
  } catch (error) {
    engine.logger.warn({ error }, 'The event log could not be begun')
  }
}

async function reportRecovery(engine: LifecycleEngine): Promise<void> {
  const { recovery } = engine.store
  if (recovery === undefined) return
  const { bytes, keptAs } = recovery
  try {
    await engine.record([{ ...engine.stamp(engine.host), type: 'audit_recovered', bytes, keptAs }])
  } catch (error) {
    engine.logger.warn({ error, keptAs }, 'The recovery of the log could not be recorded')
  }
}
