import { z } from 'zod'
import type { Revocation } from './trust.ts'

/** The schema of one line of `revocations.jsonl`. */
export const revocationSchema: z.ZodType<Revocation> = z.strictObject({
  namespace: z.string(),
  name: z.string(),
  version: z.number().int().positive(),
  contentHash: z.string(),
})

/** One text for one revocation. */
export function revocationKey({ namespace, name, version, contentHash }: Revocation): string {
  return JSON.stringify([namespace, name, version, contentHash])
}
