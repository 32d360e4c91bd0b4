import type { JsonValue } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { ValidationReport } from './validation-report.ts'

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
}: ValidationReport): string {
  const runs = evidence.map(({ durationMs: _notSigned, ...run }) => run)
  return hashJson({
    checks,
    permissions: powers,
    steps,
    suspicions,
    evidence: runs,
  } as unknown as JsonValue)
}
