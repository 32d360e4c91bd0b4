import type { Redactor } from '@toolcrib/redaction'
import { type SlicedJson, redactedMark, writeJsonInSlices } from './json-text-slices.ts'
import type { SlicedCopy } from './plain-json-slices.ts'
import { SecretWatch } from './redacted-pieces.ts'
import { workInSlices } from './work-slices.ts'

/** Large JSON data without secrets, for a caller and for the log. */
export interface CleanJson extends SlicedJson {
  /** What stands under secret keys is hidden too. */
  readonly logText: string
}

/**
 * Writes large JSON data that nobody changes, in slices, and takes secrets out of it, as a redactor does with small data.
 *
 * @param data with whether keys were met under which secrets are kept.
 * @throws {WorkStopped} when nobody waits for it any more.
 */
export async function writeCleanInSlices(
  data: Omit<SlicedCopy, 'isChanged'>,
  redactor: Redactor,
  isStopped: () => boolean,
): Promise<CleanJson> {
  const watch = new SecretWatch(redactor)
  const plain = await workInSlices(writeJsonInSlices(data, { watch }), isStopped)
  const clean = watch.hasFound ? await redactInSlices(data, redactor, isStopped) : plain
  if (!data.hasWantedKey) return { ...clean, logText: clean.text }
  const { isSecretKey } = redactor
  const masked = await workInSlices(writeJsonInSlices(clean, { isHidden: isSecretKey }), isStopped)
  return { ...clean, logText: masked.text }
}

async function redactInSlices(
  data: Omit<SlicedCopy, 'isChanged'>,
  redactor: Redactor,
  isStopped: () => boolean,
): Promise<SlicedJson> {
  const watch = new SecretWatch(redactor)
  const clean = await workInSlices(writeJsonInSlices(data, { redactor, watch }), isStopped)
  if (!watch.hasFound) return clean
  // A secret that spans several values, such as `","`: the whole is given up rather than let it pass.
  return workInSlices(writeJsonInSlices({ ...data, value: redactedMark }), isStopped)
}
