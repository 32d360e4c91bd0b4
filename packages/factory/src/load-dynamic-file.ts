import { type Logger, type Principal, ToolError } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type { BuildOutcome, Toolsmaker, VersionSummary } from '@toolcrib/toolsmaker'
import type { FindModule } from '@toolcrib/toolsmaker/code'
import { ownVersions } from './own-versions.ts'
import { toolFileRequest } from './tool-file-request.ts'

/** What loading a file needs. */
export interface LoadDynamicFileServices {
  readonly toolsmaker: Pick<Toolsmaker, 'buildTool' | 'forAgent'>
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
  /** It failed for want of time or of a worker, which may be another file's doing. */
  readonly mayBeSpoilt?: true
}

/** Where tools of the folder come from, in their provenance. */
export const dynamicFileOrigin = 'dynamic-file'

/** Why a version was taken back or out of use. */
export const deletionReason = 'its file was deleted'

/** On whose behalf a file is loaded. The agent need not know: a file is a proposal, and a person decides. */
export function dynamicOwner(agentId: string): Principal {
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
    const recorded = findRecorded(file, services)
    return recorded === undefined
      ? describeOutcome(await propose(file, services, signal))
      : describeRecorded(recorded)
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    if (!ToolError.is(error)) return { problem: `It could not be loaded: ${reason}` }
    const { sandboxReason } = (error.data ?? {}) as { sandboxReason?: unknown }
    const isSpoilt = sandboxReason === 'timeout' || sandboxReason === 'worker-lost'
    return { problem: reason, ...(isSpoilt ? { mayBeSpoilt: true } : {}) }
  }
}

/** Takes back what a file proposed, and takes it out of use, as its owner may. Gives whether anything changed. */
export async function removeDynamicTool(
  { agentId, file, toolName }: Pick<DynamicFile, 'file' | 'agentId' | 'toolName'>,
  { toolsmaker }: Pick<LoadDynamicFileServices, 'toolsmaker'>,
): Promise<boolean> {
  const agent = toolsmaker.forAgent(dynamicOwner(agentId))
  let changed = false
  for (const { spec, status, version } of recordedVersions(agentId, toolName, toolsmaker)) {
    if (spec.provenance?.['source'] !== dynamicFileOrigin || spec.provenance['file'] !== file)
      continue
    // oxlint-disable-next-line no-await-in-loop -- each is one entry of an ordered record
    if (status === 'approval_required') await agent.withdraw(toolName, version, deletionReason)
    // oxlint-disable-next-line no-await-in-loop -- as above
    else if (status === 'activated') await agent.deactivate(toolName, deletionReason)
    else continue
    changed = true
  }
  return changed
}

type RecordedVersion = ReturnType<typeof ownVersions>[number] & {
  readonly spec: BuildOutcome['spec']
}

function recordedVersions(
  agentId: string,
  toolName: string,
  toolsmaker: LoadDynamicFileServices['toolsmaker'],
): readonly RecordedVersion[] {
  const agent = toolsmaker.forAgent(dynamicOwner(agentId))
  return ownVersions(agent, toolName).flatMap(({ version }) => agent.get(toolName, version) ?? [])
}

/** The version that these very bytes are. One that went because its file went may come again. */
function findRecorded(
  { agentId, source, toolName }: DynamicFile,
  { toolsmaker }: LoadDynamicFileServices,
): VersionSummary | undefined {
  const found = recordedVersions(agentId, toolName, toolsmaker).find(
    ({ spec }) => sourceOf(spec.definition) === source,
  )
  return found?.status === 'rejected' && found.reason === deletionReason ? undefined : found
}

function sourceOf(definition: unknown): unknown {
  return typeof definition === 'object' && definition !== null && 'source' in definition
    ? definition.source
    : undefined
}

async function propose(
  { agentId, contentHash, file, source, toolName }: DynamicFile,
  { findModule, sandbox, toolsmaker }: LoadDynamicFileServices,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const request = await toolFileRequest(source, {
    name: toolName,
    agentId,
    sandbox,
    findModule,
    signal,
    provenance: { source: dynamicFileOrigin, file, fileHash: contentHash },
  })
  return toolsmaker.buildTool(request, {
    principal: dynamicOwner(agentId),
    // A rule may approve what agents propose; it was not written for whoever can write a file.
    waitBecause: 'it came from a file',
    signal,
  })
}

function describeOutcome({ report, spec, status }: BuildOutcome): LoadedDynamicFile {
  if (status !== 'rejected') return { version: spec.version }
  const failed = [
    ...report.checks.filter(({ pass }) => !pass).map(({ message }) => message),
    ...report.evidence.filter(({ pass }) => !pass).map(({ error }) => error ?? 'It failed'),
  ]
  const problem = [...new Set(failed)].slice(0, 5).join(' ').slice(0, 4_000).toWellFormed()
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
