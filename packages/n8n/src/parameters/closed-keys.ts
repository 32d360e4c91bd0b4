import type { JsonObject } from '@toolcrib/registry'
import { nearestTo } from '../check/nearest.ts'
import { either } from '../check/quote.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

/** What is often written, and what n8n calls it, in this version or that; the first that is read where it stands. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  code: ['jsCode', 'functionCode', 'pythonCode'],
  condition: ['conditions'],
  functionCode: ['jsCode'],
  jsCode: ['functionCode'],
  key: ['name', 'fieldName'],
  left: ['leftValue'],
  message: ['text'],
  right: ['rightValue'],
  uri: ['url'],
  value1: ['leftValue'],
  value2: ['rightValue'],
}

/** The name that is read where another one was written, as a sentence; also for slips of the pen. */
export function nameInstead(written: string, read: readonly string[]): string | undefined {
  const known = Object.hasOwn(otherNames, written) ? otherNames[written] : undefined
  const name = known?.find((each) => read.includes(each))
  return name === undefined ? nearestTo(written, read) : `Write it as ${JSON.stringify(name)}.`
}

/** What an object has beside the keys that n8n's code reads of it. */
export function strayKeys(
  given: JsonObject,
  read: readonly string[],
  path: ParameterPath,
): readonly IgnoredParameter[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (read.includes(key)) return []
    const fix = `${nameInstead(key, read) ?? 'Leave it out.'} It reads ${either(read).replace(/ or (?=[^,]*$)/, ' and ')} there.`
    return [notRead(value, [...path, key], { reason: 'unknown', fix })]
  })
}
