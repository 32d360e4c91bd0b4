import { toolsmakerError } from '../error-catalogue.ts'
import type { ToolRunLimits } from '../tool-spec.ts'
import type { ActivationLimits } from '../toolsmaker.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** How large an input of a made tool may be where it names no limit, in bytes of UTF-8 JSON text. */
export const defaultMaxInputBytes = 1_048_576

/** What holds for a made tool that names no limit of its own. */
export const defaultRunLimits: Required<ToolRunLimits> = {
  timeoutMs: 30_000,
  maxInputBytes: defaultMaxInputBytes,
  maxOutputBytes: 10_485_760,
  maxConcurrent: Infinity,
}

/**
 * The limits that activation puts in force, `undefined` when none are given.
 *
 * @throws {ToolError} LIMIT_NOT_NARROWER when one is wider than what was approved.
 */
export function narrowLimits(
  record: VersionRecord,
  wanted: ActivationLimits & ToolRunLimits,
): ToolRunLimits | undefined {
  const { maxConcurrent, maxInputBytes, maxOutputChars, timeoutMs } = wanted
  // A text never has more characters than bytes, so a bound on bytes bounds both.
  const maxOutputBytes =
    maxOutputChars === undefined
      ? wanted.maxOutputBytes
      : Math.min(maxOutputChars, wanted.maxOutputBytes ?? maxOutputChars)
  const limits = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxInputBytes === undefined ? {} : { maxInputBytes }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
  }
  const approved = { ...defaultRunLimits, ...record.content?.limits }
  for (const field of ['timeoutMs', 'maxInputBytes', 'maxOutputBytes', 'maxConcurrent'] as const) {
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
