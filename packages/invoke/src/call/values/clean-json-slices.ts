import type { Redactor } from '@toolcrib/redaction'
import {
  type SlicedJson,
  hasKeyInSlices,
  redactedMark,
  writeJsonInSlices,
} from './json-text-slices.ts'
import type { SlicedCopy } from './plain-json-slices.ts'
import { workInSlices } from './work-slices.ts'

/** Large JSON data without secrets, for a caller and for the log. */
export interface CleanJson extends SlicedJson {
  /** What stands under secret keys is hidden too. */
  readonly logText: string
}

/**
 * Writes large JSON data that nobody changes, in slices, and takes secrets out of it, as a redactor does with small data.
 *
 * @throws {WorkStopped} when nobody waits for it any more.
 */
export async function writeCleanInSlices(
  data: Pick<SlicedCopy, 'small' | 'value'>,
  redactor: Redactor,
  isStopped: () => boolean,
): Promise<CleanJson> {
  const plain = await workInSlices(writeJsonInSlices(data.value, data.small), isStopped)
  const clean = holdsSecret(plain.text, redactor)
    ? await redactInSlices(data, redactor, isStopped)
    : plain
  const { isSecretKey } = redactor
  if (!(await workInSlices(hasKeyInSlices(clean.value, isSecretKey), isStopped)))
    return { ...clean, logText: clean.text }
  const masked = await workInSlices(
    writeJsonInSlices(clean.value, data.small, { isHidden: isSecretKey }),
    isStopped,
  )
  return { ...clean, logText: masked.text }
}

async function redactInSlices(
  { value, small }: Pick<SlicedCopy, 'small' | 'value'>,
  redactor: Redactor,
  isStopped: () => boolean,
): Promise<SlicedJson> {
  const { redactText } = redactor
  const clean = await workInSlices(writeJsonInSlices(value, small, { redactText }), isStopped)
  if (!holdsSecret(clean.text, redactor)) return clean
  // A secret that spans several values, such as `","`: the whole is given up rather than let it pass.
  return workInSlices(writeJsonInSlices(redactedMark), isStopped)
}

function holdsSecret(text: string, { redactText }: Redactor): boolean {
  return redactText(text) !== text
}
