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

/** Whether any version of a tool is among revocations, by their keys. */
export function hasRevocationOf(
  keys: ReadonlySet<string>,
  namespace: string,
  name: string,
): boolean {
  const start = `${JSON.stringify([namespace, name]).slice(0, -1)},`
  for (const key of keys) if (key.startsWith(start)) return true
  return false
}
