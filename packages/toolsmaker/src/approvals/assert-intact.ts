import { ToolError } from '@toolcrib/registry'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { judgeContent } from './judge-content.ts'

/**
 * Refuses a version whose content is not what its hash says, or that was revoked.
 *
 * @throws {ToolError} TOOL_TAMPERED or TOOL_REVOKED.
 */
export function assertIntact(engine: LifecycleEngine, record: VersionRecord): void {
  const judged = judgeContent(record, engine)
  if (judged.ok) return
  throw new ToolError(
    judged.code,
    `Version ${record.version} of ${record.name} cannot be decided on: ${judged.reason}.`,
  )
}
