import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { showValue } from '../review/show-value.ts'

/**
 * Finds the version that a rollback puts into use: the one that was in use before the present one, else the newest older one that
 * can be activated. What is held comes last: somebody has yet to look at it.
 *
 * @throws {ToolError} VERSION_NOT_FOUND when there is none.
 */
export function findRollbackTarget(engine: LifecycleEngine, name: string): VersionRecord {
  const tool = engine.state.tools.get(name)
  const active = tool?.active ?? Infinity
  const usable = [...(tool?.versions.values() ?? [])].filter(
    ({ status, version }) =>
      version !== active && (status === 'approved' || status === 'deactivated'),
  )
  const older = usable.filter(({ version }) => version < active).toReversed()
  const used = tool?.used.toReversed() ?? []
  const inUseBefore = used.flatMap((number) => usable.filter(({ version }) => version === number))
  const candidates = [...inUseBefore, ...older]
  const target = candidates.find(({ hold }) => hold === undefined) ?? candidates[0]
  if (target !== undefined) return target
  throw toolsmakerError(
    'VERSION_NOT_FOUND',
    `There is no older approved version of ${showValue(name)} to go back to.`,
    { data: { name } },
  )
}
