import { findRollbackTarget } from '../activation/rollback-target.ts'
import { readPrincipal } from './agent-surface.ts'
import type { BuildOutcome } from '../proposals/build-outcome.ts'
import { createBuildRequestFromIntent } from '../proposals/create-build-request.ts'
import { describeOutcome } from '../review/describe-outcome.ts'
import { propose, readProposal } from '../proposals/propose.ts'
import { activateApproved, approveVersion } from '../approvals/approve.ts'
import { prepareStatement } from '../approvals/prepare-statement.ts'
import { shareVersion } from '../approvals/share.ts'
import { endShare } from '../activation/end-share.ts'
import { expireAll } from '../approvals/expire.ts'
import { inspectTools } from '../activation/inspect-tools.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { decideLapsed } from '../activation/decide-lapsed.ts'
import { loadActiveTools, rememberVerified } from '../activation/load-active-tools.ts'
import { describePause, recordPause, resume } from '../activation/pause.ts'
import { policyBlockEvent } from '../activation/policy-block.ts'
import { validateAgain } from '../validation/validate-again.ts'
import type { ProjectionWriter } from '../projections/projection-writer.ts'
import { createReadSurface } from './read-surface.ts'
import {
  deactivateActive,
  readReason,
  readRemoval,
  rejectVersion,
  revokeVersion,
} from '../activation/remove-power.ts'
import { acceptLog } from '../stops/accept-log.ts'
import { readLogProblem } from '../stops/log-problem.ts'
import { summariseVersion } from '../review/summarise-version.ts'
import type { ProposalOptions, Toolsmaker } from '../toolsmaker.ts'
import type { VersionSummary } from '../review/version-summary.ts'

/** What the operator's surface is completed with. */
export interface SurfaceParts {
  readonly forAgent: Toolsmaker['forAgent']
  readonly writer: ProjectionWriter | undefined
}

/** Everything an operator can do. Commands run one at a time; each is recorded as a whole or not at all. */
export function createOperatorSurface(engine: LifecycleEngine, parts: SurfaceParts): Toolsmaker {
  const build = async (
    request: ReturnType<typeof readProposal>,
    { principal, signal, waitBecause }: ProposalOptions,
  ): Promise<BuildOutcome> => {
    const waiting =
      waitBecause === undefined ? {} : { waitBecause: readReason(engine, waitBecause) }
    const who = { principal: readPrincipal(principal), signal, ...waiting }
    return describeOutcome(engine, await propose(engine, request, who))
  }
  return Object.freeze({
    ...createReadSurface(engine),
    ...createGrantSurface(engine),
    ...createRemovalSurface(engine),
    ...createUpkeepSurface(engine, parts.writer),
    get store() {
      return engine.identity
    },
    get logProblem() {
      return engine.verified.problem
    },
    readLogProblem: () => engine.queue.run(() => readLogProblem(engine)),
    get paused() {
      return describePause(engine)
    },
    forAgent: parts.forAgent,
    checkQuota: (principal, name) =>
      engine.quotas.check({ principal: readPrincipal(principal), name }),
    buildTool: async (request, options) => build(readProposal(engine, request), options),
    buildToolFromIntent: async (intent, options) =>
      build(createBuildRequestFromIntent(intent, { limits: engine.limits }), options),
  } satisfies Toolsmaker)
}

type Granting =
  | 'prepareDecision'
  | 'approveTool'
  | 'validateAgain'
  | 'activateToolVersion'
  | 'rollbackTool'
  | 'shareTool'
  | 'resumeTools'
  | 'acceptLog'

function createGrantSurface(engine: LifecycleEngine): Pick<Toolsmaker, Granting> {
  const summary = (name: string, version: number): VersionSummary =>
    summariseVersion(engine, engine.find(name, version))
  return {
    prepareDecision: (request) =>
      engine.queue.run(async () => {
        await engine.trust.refresh()
        return prepareStatement(engine, request)
      }),
    validateAgain: async (name, version, { signal } = {}) => {
      await engine.trust.refresh()
      await validateAgain(engine, { name, version }, signal)
      return summary(name, version)
    },
    approveTool: (name, version, source) =>
      engine.queue.run(async () => {
        await approveVersion(engine, { name, version }, source)
        return summary(name, version)
      }),
    activateToolVersion: (name, version, options) =>
      engine.queue.run(async () => {
        await activateApproved(engine, { name, version }, options)
        return summary(name, version)
      }),
    rollbackTool: (name, { toVersion, ...options }) =>
      engine.queue.run(async () => {
        const version = toVersion ?? findRollbackTarget(engine, name).version
        await activateApproved(engine, { name, version }, options)
        return summary(name, version)
      }),
    shareTool: (name, version, source) =>
      engine.queue.run(async () => {
        await shareVersion(engine, { name, version }, source)
        return summary(name, version)
      }),
    acceptLog: async (source) => {
      const { pauses } = engine.callables
      await engine.queue.run(async () => {
        await acceptLog(engine, source)
        // One that the log or its checkpoint has stays in force.
        if (engine.state.pause === undefined) engine.callables.unpause(pauses)
      })
      await decideLapsed(engine)
      return engine.queue.run(() => loadActiveTools(engine))
    },
    resumeTools: async (source) => {
      // A pause that is asked for from now on outlasts this, however long this waits for its turn.
      const { pauses } = engine.callables
      return engine.queue.run(() => resume(engine, source, pauses))
    },
  }
}

type Removing = 'rejectTool' | 'deactivateTool' | 'revokeTool' | 'pauseTools' | 'recordPolicyBlock'

function createRemovalSurface(engine: LifecycleEngine): Pick<Toolsmaker, Removing> {
  return {
    rejectTool: async (name, version, options) => {
      const removal = readRemoval(engine, options)
      return engine.queue.run(async () => {
        await rejectVersion(engine, { name, version }, removal)
        return summariseVersion(engine, engine.find(name, version))
      })
    },
    deactivateTool: async (name, options) => {
      const removal = readRemoval(engine, options)
      engine.queue.assertOpen()
      // At once: what waits in the queue must not keep it running.
      const letGo = engine.callables.stopInUse(name)
      return engine.queue
        .run(async () => {
          // A version that came into use while this waited.
          const letGoOfNewer = engine.callables.stopInUse(name)
          const version = await deactivateActive(engine, name, removal).finally(letGoOfNewer)
          return summariseVersion(engine, engine.find(name, version))
        })
        .finally(letGo)
    },
    revokeTool: async (name, version, options) => {
      const removal = readRemoval(engine, options)
      engine.find(name, version)
      engine.queue.assertOpen()
      // At once: what waits in the queue must not keep it running.
      engine.callables.stop(name, version)
      return engine.queue.run(async () => {
        await revokeVersion(engine, { name, version }, removal)
        return summariseVersion(engine, engine.find(name, version))
      })
    },
    pauseTools: async (options) => {
      const removal = readRemoval(engine, options)
      engine.queue.assertOpen()
      engine.callables.pause(removal.reason)
      return engine.queue.run(() => recordPause(engine, removal))
    },
    recordPolicyBlock: async (block) =>
      engine.queue.run(() => engine.record([policyBlockEvent(engine, block)])),
  }
}

type Upkeep =
  | 'expirePending'
  | 'loadActiveTools'
  | 'inspectTools'
  | 'checkCallable'
  | 'checkProjections'
  | 'readUnrecordedCustomTools'
  | 'close'

function createUpkeepSurface(
  engine: LifecycleEngine,
  writer: ProjectionWriter | undefined,
): Pick<Toolsmaker, Upkeep> {
  return {
    expirePending: () =>
      engine.queue.run(async () => {
        // oxlint-disable-next-line no-await-in-loop -- there are few
        for (const name of engine.callables.namesPastShare()) await endShare(engine, name)
        return expireAll(engine)
      }),
    loadActiveTools: async ({ signal } = {}) => {
      await engine.trust.refresh()
      await decideLapsed(engine, signal)
      return engine.queue.run(() => loadActiveTools(engine, signal), signal)
    },
    inspectTools: async (options = {}) => inspectTools(engine, options),
    checkCallable: (tool, principal) => engine.callables.check(tool, principal),
    checkProjections: async () =>
      writer === undefined ? { written: [], restored: [], failed: [] } : writer.check(),
    readUnrecordedCustomTools: () =>
      engine.queue.run(async () => (await writer?.readUnrecordedCustomTools()) ?? []),
    close: async () => {
      await engine.queue.close()
      await rememberVerified(engine)
      for (const name of engine.callables.names()) engine.callables.remove(name)
      writer?.close()
      await engine.store.close()
    },
  }
}
