import { type Principal, principalKey, toPrincipal } from '@toolcrib/registry'
import type { AgentToolsmaker } from './agent-toolsmaker.ts'
import type { BuildOutcome } from '../proposals/build-outcome.ts'
import { describeOutcome } from '../review/describe-outcome.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { createBuildRequestFromIntent } from '../proposals/create-build-request.ts'
import { ownerOf } from '../proposals/owner-of.ts'
import { propose, readProposal } from '../proposals/propose.ts'
import { readReview } from '../review/read-review.ts'
import { deactivateActive, readReason, withdrawVersion } from '../activation/remove-power.ts'
import { summariseVersion } from '../review/summarise-version.ts'
import { type VersionRecord, proposerOf, toSpec } from '../lifecycle/version-record.ts'
import { showValue } from '../review/show-value.ts'

/**
 * Checks and copies a principal.
 *
 * @throws {ToolError} REQUEST_INVALID when it is none.
 */
export function readPrincipal(principal: Principal): Principal {
  const known = toPrincipal(principal)
  if (known !== undefined) return known
  throw toolsmakerError(
    'REQUEST_INVALID',
    'A principal needs a kind, "agent", "person" or "service", and an id of 1 to 200 characters.',
    { data: { field: 'principal' } },
  )
}

/**
 * The surface for one principal. A frozen object of closures: whoever holds it reaches what it does, and nothing else.
 */
export function createAgentSurface(engine: LifecycleEngine, who: Principal): AgentToolsmaker {
  const principal = readPrincipal(who)
  const key = principalKey(principal)
  const owns = (record: VersionRecord): boolean => record.content?.owner === key
  const mine = (name: string, version: number): VersionRecord => {
    const record = engine.find(name, version)
    if (owns(record)) return record
    // The same answer as for a version that does not exist: whose it is, is not for others to know.
    throw toolsmakerError(
      'VERSION_NOT_FOUND',
      `There is no version ${showValue(version)} of a made tool ${showValue(name)} of yours. List your tools first.`,
    )
  }
  const build = async (
    request: ReturnType<typeof readProposal>,
    signal: AbortSignal | undefined,
  ): Promise<BuildOutcome> =>
    describeOutcome(engine, await propose(engine, request, { principal, signal }))
  const surface: AgentToolsmaker = {
    principal,
    buildTool: async (request, options = {}) =>
      build(readProposal(engine, request), options.signal),
    buildToolFromIntent: async (intent, options = {}) =>
      build(createBuildRequestFromIntent(intent, { limits: engine.limits }), options.signal),
    list: () => visibleRecords(engine, key).map((record) => summariseVersion(engine, record)),
    get: (name, version) => {
      const record =
        version === undefined
          ? visibleRecords(engine, key).find((entry) => entry.name === name)
          : engine.state.get(name, version)
      if (record === undefined || !(owns(record) || isSharedActive(engine, record)))
        return undefined
      const spec = toSpec(record)
      return spec === undefined
        ? undefined
        : structuredClone({ ...summariseVersion(engine, record), spec })
    },
    readReview: async (name, version) => {
      const record = engine.state.get(name, version)
      return record !== undefined && owns(record)
        ? structuredClone(await readReview(engine, record))
        : undefined
    },
    withdraw: async (name, version, reason = 'taken back by its owner') => {
      const removal = { actor: principal, reason: readReason(engine, reason) }
      return engine.queue.run(async () => {
        const record = mine(name, version)
        if (proposerOf(record) !== key)
          throw toolsmakerError(
            'TOOL_NOT_OWNED',
            `Version ${version} of ${name} was proposed by ${showValue(proposerOf(record))}, not by you, so it is not yours to take back.`,
          )
        await withdrawVersion(engine, { name, version }, removal)
        return summariseVersion(engine, engine.find(name, version))
      })
    },
    deactivate: async (name, reason = 'taken out of use by its owner') => {
      const removal = { actor: principal, reason: readReason(engine, reason) }
      const owned = (): boolean => ownerOf(engine, name) === key
      const letGo = owned() ? engine.callables.stopInUse(name) : () => undefined
      return engine.queue
        .run(async () => {
          if (!owned())
            throw toolsmakerError(
              'TOOL_NOT_OWNED',
              `There is no made tool ${showValue(name)} of yours.`,
            )
          // A version that came into use while this waited.
          const letGoOfNewer = engine.callables.stopInUse(name)
          const version = await deactivateActive(engine, name, removal).finally(letGoOfNewer)
          return summariseVersion(engine, engine.find(name, version))
        })
        .finally(letGo)
    },
    snapshotTools: () => engine.registry.snapshot(principal),
  }
  return Object.freeze(surface)
}

function isSharedActive(engine: LifecycleEngine, record: VersionRecord): boolean {
  const entry = engine.callables.get(record.name)
  const source = entry?.tool.source
  return (
    entry?.version === record.version && source?.type === 'made' && source.visibility === 'shared'
  )
}

/** The active version of what a principal may see, else the newest of what it owns; by name. */
function visibleRecords(engine: LifecycleEngine, key: string): readonly VersionRecord[] {
  const found: VersionRecord[] = []
  for (const tool of engine.state.tools.values()) {
    const active = tool.active === undefined ? undefined : tool.versions.get(tool.active)
    const records = [...tool.versions.values()]
    const record = active ?? records.findLast((entry) => entry.content?.owner === key)
    if (record === undefined) continue
    if (record.content?.owner === key || isSharedActive(engine, record)) found.push(record)
  }
  return found.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}
