import { join } from 'node:path'
import type { BuildOutcome } from '../proposals/build-outcome.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { Proposed } from '../proposals/propose.ts'
import { readReport } from './read-report.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { type VersionRecord, toSpec } from '../lifecycle/version-record.ts'

/** What became of a proposal, with what happens next in words for the agent. */
export async function describeOutcome(
  engine: LifecycleEngine,
  { existing, name, version }: Proposed,
): Promise<BuildOutcome> {
  const record = engine.find(name, version)
  const spec = toSpec(record)
  const report = await readReport(engine, record)
  if (spec === undefined || report === undefined)
    throw toolsmakerError('STORE_INVALID', `The log does not hold version ${version} of ${name}.`)
  const approvedBy = record.approval?.approvedBy
  const { directory } = engine.store
  return {
    status: record.status,
    spec: structuredClone(spec),
    report: structuredClone(report),
    existing,
    ...(directory === undefined
      ? {}
      : { reviewPath: join(directory, 'reviews', `${name}_v${version}.json`) }),
    ...(approvedBy !== undefined && 'rule' in approvedBy
      ? { approvedByRule: approvedBy.rule }
      : {}),
    message:
      (existing ? 'This proposal is on record already. ' : '') + describeNext(record, report),
  }
}

function describeNext(record: VersionRecord, report: ValidationReport): string {
  const label = `${record.name} v${record.version}`
  switch (record.status) {
    case 'activated':
      return `${label} is in use: call it by its name now.`
    case 'approval_required':
      return (
        `${label} waits for a person, because ${record.waitsBecause?.join('; ') ?? 'the policy says so'}. ` +
        'It cannot be called until then. Go on without it, or tell the person that a review is waiting.'
      )
    case 'rejected': {
      const failed = report.checks.filter(({ pass }) => !pass)
      const why = failed.map(({ message, name }) => `${name}: ${message}`).join('; ')
      return `${label} was rejected: ${why || (record.reason ?? 'no reason given')}. Mend it and propose it again.`
    }
    case 'approved':
      return `${label} is approved and not in use${record.notice === undefined ? '' : ` (${record.notice})`}. A person can activate it.`
    default:
      return `${label} is ${record.status}.`
  }
}
