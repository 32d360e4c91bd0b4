import { toolsmakerError } from './error-catalogue.ts'
import type { ToolRunLimits } from './tool-spec.ts'
import type { ActivationLimits } from './toolsmaker.ts'
import type { VersionRecord } from './version-record.ts'

/** What holds for a tool that names no limit of its own: the registry's defaults. */
const defaults = { timeoutMs: 30_000, maxOutputBytes: 10_485_760, maxConcurrent: Infinity }

/**
 * The limits that activation puts in force, `undefined` when none are given.
 *
 * @throws {ToolError} LIMIT_NOT_NARROWER when one is wider than what was approved.
 */
export function narrowLimits(
  record: VersionRecord,
  wanted: ActivationLimits & ToolRunLimits,
): ToolRunLimits | undefined {
  const { maxConcurrent, maxOutputChars, timeoutMs } = wanted
  // A text never has more characters than bytes, so a bound on bytes bounds both.
  const maxOutputBytes =
    maxOutputChars === undefined
      ? wanted.maxOutputBytes
      : Math.min(maxOutputChars, wanted.maxOutputBytes ?? maxOutputChars)
  const limits = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
  }
  const approved = { ...defaults, ...record.content?.limits }
  for (const field of ['timeoutMs', 'maxOutputBytes', 'maxConcurrent'] as const) {
    const value = limits[field]
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value <= 0 || value > approved[field])
      throw toolsmakerError(
        'LIMIT_NOT_NARROWER',
        `${field} must be a whole number above 0 and at most ${approved[field]}, which was approved, got ${value}.`,
        { data: { field } },
      )
  }
  return Object.keys(limits).length === 0 ? undefined : limits
}
