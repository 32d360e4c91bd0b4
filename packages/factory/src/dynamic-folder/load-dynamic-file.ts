import { type Logger, type Principal, principalKey, ToolError } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type {
  BuildOutcome,
  ToolBuildRequest,
  Toolsmaker,
  ToolSpec,
  VersionSummary,
} from '@toolcrib/toolsmaker'
import type { FindModule } from '@toolcrib/kind-code'
import type { OverQuota } from './waiting-for-room.ts'
import { joinProblems, proposalProblems } from '../tools/proposal-problems.ts'
import { toolFileRequest } from '../custom-tools/tool-file-request.ts'

/** What loading a file needs. */
export interface LoadDynamicFileServices {
  readonly toolsmaker: Pick<Toolsmaker, 'buildTool' | 'forAgent' | 'getSpec' | 'listVersions'>
  readonly sandbox: Sandbox
  readonly findModule?: FindModule | undefined
  readonly logger: Logger
}

/** One file, read. */
export interface DynamicFile {
  readonly file: string
  readonly agentId: string
  readonly toolName: string
  readonly source: string
  readonly contentHash: string
}

/** What became of a file. */
export interface LoadedDynamicFile {
  readonly version?: number
  /** Absent when it is on record. */
  readonly problem?: string
  /** It can be tried again when its owner has room. */
  readonly overQuota?: OverQuota
  /** It failed for want of time or of a worker, which may be another file's doing. */
  readonly mayBeSpoilt?: true
}

/** Where tools of the folder come from, in their provenance. */
export const dynamicFileOrigin = 'dynamic-file'

/** Why a version was taken back or out of use. */
const deletionReason = 'its file was deleted'
const changeReason = 'its file changed'

/** With more versions than this the oldest are not compared: what they say may be proposed again. */
const mostCompared = 100

/** On whose behalf a file is loaded. The agent need not know: a file is a proposal, and a person decides. */
function dynamicOwner(agentId: string): Principal {
  return { kind: 'agent', id: agentId }
}

/**
 * Makes a file into a proposal of its agent, unless what it says is on record already. Nothing of it runs on the host.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function loadDynamicFile(
  file: DynamicFile,
  services: LoadDynamicFileServices,
  signal: AbortSignal,
): Promise<LoadedDynamicFile> {
  try {
    const recorded = findRecorded(file, services.toolsmaker)
    const loaded =
      recorded === undefined
        ? describeOutcome(await propose(file, services, signal))
        : describeRecorded(recorded)
    if (loaded.problem === undefined) await takeBackOlder(file, loaded.version, services)
    return loaded
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    if (!ToolError.is(error)) return { problem: `It could not be loaded: ${reason}` }
    if (ToolError.is(error, 'OWNER_QUOTA_EXCEEDED')) {
      const { retryAfterMs } = error.data as { readonly retryAfterMs: number | null }
      return { problem: reason, overQuota: { owner: dynamicOwner(file.agentId), retryAfterMs } }
    }
    const { sandboxReason } = (error.data ?? {}) as { sandboxReason?: unknown }
    const isSpoilt = sandboxReason === 'timeout' || sandboxReason === 'worker-lost'
    return { problem: reason, ...(isSpoilt ? { mayBeSpoilt: true } : {}) }
  }
}

type FileName = Pick<DynamicFile, 'file' | 'agentId' | 'toolName'>
type Records = Pick<Toolsmaker, 'getSpec' | 'listVersions'>

/** Whether something that came from a file waits or is in use. */
export function hasLiveVersions(file: FileName, records: Records): boolean {
  return liveVersions(file, records).length > 0
}

/** Takes back what a file proposed, and takes it out of use, as its owner may. Gives whether anything changed. */
export async function removeDynamicTool(
  file: FileName,
  { toolsmaker }: Pick<LoadDynamicFileServices, 'toolsmaker'>,
): Promise<boolean> {
  const { agentId, toolName } = file
  const agent = toolsmaker.forAgent(dynamicOwner(agentId))
  let changed = false
  for (let left = 3; left > 0; left -= 1)
    for (const { status, version } of liveVersions(file, toolsmaker)) {
      const removal =
        status === 'activated'
          ? agent.deactivate(toolName, deletionReason)
          : agent.withdraw(toolName, version, deletionReason)
      // oxlint-disable-next-line no-await-in-loop -- each is one entry of an ordered record
      changed = (await wasDone(removal)) || changed
    }
  return changed
}

/** A person decides about what the file says now: what it said before and still waits is taken back. */
async function takeBackOlder(
  file: DynamicFile,
  current: number | undefined,
  { toolsmaker }: LoadDynamicFileServices,
): Promise<void> {
  const agent = toolsmaker.forAgent(dynamicOwner(file.agentId))
  for (const { status, version } of liveVersions(file, toolsmaker))
    if (status === 'approval_required' && version !== current)
      // oxlint-disable-next-line no-await-in-loop -- each is one entry of an ordered record
      await wasDone(agent.withdraw(file.toolName, version, changeReason))
}

/** Whether it was; not where somebody decided about the version in the same moment. */
async function wasDone(removal: Promise<unknown>): Promise<boolean> {
  try {
    await removal
    return true
  } catch (error) {
    if (ToolError.is(error, 'TRANSITION_REFUSED')) return false
    throw error
  }
}

/** The versions that came from a file, not from its agent in another way, and that wait or are in use. */
function liveVersions(
  { agentId, file, toolName }: FileName,
  records: Records,
): readonly VersionSummary[] {
  return ownVersions(agentId, toolName, records).filter(({ status, version }) => {
    if (status !== 'approval_required' && status !== 'activated') return false
    const origin = records.getSpec(toolName, version)?.provenance
    return origin?.['source'] === dynamicFileOrigin && origin['file'] === file
  })
}

/** Newest first. */
function ownVersions(
  agentId: string,
  toolName: string,
  records: Records,
): readonly VersionSummary[] {
  const owner = principalKey(dynamicOwner(agentId))
  return records
    .listVersions(toolName)
    .filter((summary) => summary.owner === owner)
    .toReversed()
}

/** The version that these very bytes are. One that went because its file went or changed may come again. */
function findRecorded(
  { agentId, source, toolName }: DynamicFile,
  records: Records,
): VersionSummary | undefined {
  const found = ownVersions(agentId, toolName, records)
    .slice(0, mostCompared)
    .find(({ version }) => sourceOf(records.getSpec(toolName, version)) === source)
  const isTakenBack = found?.reason === deletionReason || found?.reason === changeReason
  return found?.status === 'rejected' && isTakenBack ? undefined : found
}

function sourceOf(spec: ToolSpec | undefined): unknown {
  const definition: unknown = spec?.definition
  return typeof definition === 'object' && definition !== null && 'source' in definition
    ? definition.source
    : undefined
}

async function propose(
  { agentId, contentHash, file, source, toolName }: DynamicFile,
  { findModule, sandbox, toolsmaker }: LoadDynamicFileServices,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const principal = dynamicOwner(agentId)
  const write = (): Promise<ToolBuildRequest> =>
    toolFileRequest(source, {
      name: toolName,
      agentId,
      sandbox,
      trialOf: principalKey(principal),
      findModule,
      signal,
      provenance: { source: dynamicFileOrigin, file, fileHash: contentHash },
    })
  // Looking at a file runs it, so that comes in the turn of its agent, where there is room for it.
  return toolsmaker.buildTool(
    { name: toolName, write },
    {
      principal,
      // A rule may approve what agents propose; it was not written for whoever can write a file.
      waitBecause: 'it came from a file',
      signal,
    },
  )
}

function describeOutcome(outcome: BuildOutcome): LoadedDynamicFile {
  const { spec, status } = outcome
  if (status !== 'rejected') return { version: spec.version }
  const problem = joinProblems(proposalProblems(outcome).slice(0, 5))
  return { version: spec.version, problem: `It was rejected: ${problem}` }
}

function describeRecorded({ reason, status, version }: VersionSummary): LoadedDynamicFile {
  if (status !== 'rejected' && status !== 'revoked' && status !== 'expired') return { version }
  const why = reason === undefined ? '' : ` (${reason})`
  return {
    version,
    problem: `Version ${version} is ${status}${why}. Change the file to propose it again.`,
  }
}
