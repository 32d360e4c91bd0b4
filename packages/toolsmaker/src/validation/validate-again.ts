import type { Principal } from '@toolcrib/registry'
import { assertMayHappen } from '../activation/activate.ts'
import { assertIntact } from '../approvals/assert-intact.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { VersionEvent } from '../lifecycle/lifecycle-event.ts'
import { toSpec } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { contentInUse, otherNames } from '../proposals/other-names.ts'
import { previousApproved } from '../review/previous-approved.ts'
import { visibilityFor } from './pin-callees.ts'
import { attestReport } from './report-attestation.ts'
import { hashReport } from './report-hash.ts'
import { validateProposal } from './validate-proposal.ts'
import type { ValidationReport } from './validation-report.ts'

/**
 * Checks and tries a version once more, as it is now, and puts the report on record in the place of the one before. It grants
 * nothing, takes nothing away, and makes decisions that are on their way stale. Gives the report.
 *
 * @throws {ToolError} VERSION_NOT_FOUND, TRANSITION_REFUSED, TOOL_KIND_UNKNOWN, TOOL_TAMPERED or TOOL_REVOKED.
 */
export async function validateAgain(
  engine: LifecycleEngine,
  { name, version }: { readonly name: string; readonly version: number },
  signal?: AbortSignal,
): Promise<ValidationReport> {
  for (;;) {
    const record = engine.find(name, version)
    assertMayHappen('tool_validated_again', record)
    assertIntact(engine, record)
    const kind = engine.kind(record.kind)
    const { fingerprint } = kind
    const spec = toSpec(record)
    if (spec === undefined)
      throw toolsmakerError('STORE_INVALID', `The log does not hold version ${version} of ${name}.`)
    // oxlint-disable-next-line no-await-in-loop -- as below
    const before = await previousApproved(engine, record)
    const previous = before === undefined ? undefined : toSpec(before)
    const proposal = deepFreeze(
      structuredClone({ spec, ...(previous === undefined ? {} : { previous }) }),
    )
    // oxlint-disable-next-line no-await-in-loop -- it repeats only when something happened to the version meanwhile
    const report = await validateProposal(proposal, {
      kind,
      registry: engine.registry,
      isVisible: visibilityFor(engine.registry, record.createdBy as Principal),
      contentInUse: (other) => contentInUse(engine, other),
      declaredRisk: spec.risk,
      privateAddresses: engine.privateAddresses,
      // oxlint-disable-next-line no-await-in-loop -- as above
      otherNames: await otherNames(engine, name),
      kindTimeoutMs: engine.kindTimeoutMs,
      signal,
    })
    // oxlint-disable-next-line no-await-in-loop -- as above
    const isRecorded = await engine.queue.run(async () => {
      await engine.begin()
      if (engine.find(name, version).revision !== record.revision) return false
      const reportHash = hashReport(report)
      const sequence = engine.state.sequence + 1
      const event: VersionEvent = {
        ...engine.stamp(engine.host),
        type: 'tool_validated_again',
        name,
        version,
        report,
        reportHash,
        attestation: await attestReport(engine, record, { reportHash, sequence, first: false }),
        ...(fingerprint === undefined ? {} : { fingerprint }),
      }
      await engine.record([event])
      return true
    }, signal)
    if (isRecorded) return report
  }
}
