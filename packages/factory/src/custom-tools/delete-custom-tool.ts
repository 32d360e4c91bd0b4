import { type Principal, assertOptions } from '@toolcrib/registry'
import type { Toolsmaker, VersionSummary } from '@toolcrib/toolsmaker'
import { factoryError } from '../error-catalogue.ts'
import { ownVersions } from './own-versions.ts'

/** On whose behalf a custom tool is deleted. */
export interface DeleteCustomToolOptions {
  readonly toolsmaker: Pick<Toolsmaker, 'forAgent'>
  /** Must own the tool. */
  readonly principal: Principal
  /** Goes into the record. @default 'Deleted by its owner' */
  readonly reason?: string
}

/** What deleting a tool changed. */
export interface CustomToolDeletion {
  readonly toolName: string
  /** The version that went out of use, where one was in use. */
  readonly deactivated?: VersionSummary
  /** Proposals that waited for a person and are taken back, newest first. */
  readonly withdrawn: readonly VersionSummary[]
}

/**
 * Takes a tool out of use at once, and takes back its proposals that wait for a person. All versions and their history
 * stay on record, and the name stays taken: the same tool can come back only as its owner's next version.
 *
 * @throws {ToolError} CUSTOM_TOOL_NOT_FOUND when the principal owns no tool of that name.
 * @throws {ToolError} STORE_WRITE_FAILED, STORE_FULL or STORE_CONFLICT when it cannot be recorded.
 */
export async function deleteCustomTool(
  name: string,
  options: DeleteCustomToolOptions,
): Promise<CustomToolDeletion> {
  assertOptions<DeleteCustomToolOptions>('deleteCustomTool', options, {
    toolsmaker: true,
    principal: true,
    reason: true,
  })
  const { toolsmaker, principal, reason = 'Deleted by its owner' } = options
  const agent = toolsmaker.forAgent(principal)
  const versions = ownVersions(agent, name)
  if (versions.length === 0)
    throw factoryError(
      'CUSTOM_TOOL_NOT_FOUND',
      `You own no custom tool named "${name}". List your tools to see their names; tools of others and built-in tools cannot be deleted.`,
      { data: { name } },
    )
  const withdrawn: VersionSummary[] = []
  for (const { version, status } of versions)
    if (status === 'approval_required')
      // oxlint-disable-next-line no-await-in-loop -- each is one entry of an ordered record
      withdrawn.push(await agent.withdraw(name, version, reason))
  const isInUse = versions.some(({ status }) => status === 'activated')
  if (!isInUse) return { toolName: name, withdrawn }
  return { toolName: name, withdrawn, deactivated: await agent.deactivate(name, reason) }
}
