import { z } from 'zod'

/** How much one owner may have on record, and how fast it may propose. Persons are exempt. */
export interface OwnerLimits {
  /** Proposals that wait for a person. @default 20 */
  readonly pending: number
  /** Proposals within any minute, whatever became of them. @default 30 */
  readonly proposalsPerMinute: number
  /** Versions of one name, whatever became of them. @default 100 */
  readonly versionsPerName: number
  /** Tools in use. @default 500 */
  readonly liveTools: number
  /** Versions that are out of use and could come back. @default 500 */
  readonly stoppedVersions: number
  /** What all versions hold together, as JSON in UTF-8, in bytes. @default 52_428_800 (50 MB) */
  readonly bytes: number
}

const count = z.number().int().min(1)

/** The schema of the limits of owners. Fields left out take their defaults; unknown ones are refused. */
export const ownerLimitsSchema: z.ZodType<OwnerLimits> = z.strictObject({
  pending: count.default(20),
  proposalsPerMinute: count.max(10_000).default(30),
  versionsPerName: count.default(100),
  liveTools: count.default(500),
  stoppedVersions: count.default(500),
  bytes: count.default(50 * 1024 * 1024),
})
