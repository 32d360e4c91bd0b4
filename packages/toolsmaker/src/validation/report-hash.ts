import type { JsonValue } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { EvidenceRun, ValidationReport } from './validation-report.ts'

/**
 * SHA-256 over the canonical JSON of what was generated about a version: checks, permissions, steps, suspicions and evidence, without
 * how long anything took. What a person signs names it, so that what was read is what is signed.
 */
export function hashReport({
  checks,
  evidence,
  powers,
  steps,
  suspicions,
}: Pick<ValidationReport, 'checks' | 'evidence' | 'powers' | 'steps' | 'suspicions'>): string {
  const report = { checks, permissions: powers, steps, suspicions, evidence: timeless(evidence) }
  return hashJson(report as unknown as JsonValue)
}

/** The same over runs alone; empty for what a log holds that is no JSON. */
export function hashEvidence(evidence: readonly EvidenceRun[]): string {
  try {
    return hashJson(timeless(evidence) as unknown as JsonValue)
  } catch {
    return ''
  }
}

function timeless(evidence: readonly EvidenceRun[]): readonly Omit<EvidenceRun, 'durationMs'>[] {
  return evidence.map(({ durationMs: _notSigned, ...run }) => run)
}
