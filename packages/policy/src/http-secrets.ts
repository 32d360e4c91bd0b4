import { httpViolation } from './http-violation.ts'
import type { SecretFiller } from './secret-vault.ts'

const maxDecodings = 3

/**
 * Refuses placeholders of secrets outside header values. They would not be filled in there; a clear error is better than
 * a request that cannot work.
 *
 * @throws {ToolPolicyViolation} secret.place
 */
export function refusePlaceholder(filler: SecretFiller, text: unknown, place: string): void {
  if (typeof text !== 'string') return
  let form: string = text
  const readings = new Set([form])
  for (let step = 0; step < maxDecodings; step += 1) {
    const decoded = decodePercent(decodeEscapes(form))
    if (decoded === form) break
    form = decoded
    readings.add(form)
  }
  for (const reading of readings)
    if (filler.hasPlaceholder(reading))
      throw httpViolation('secret.place', `put the placeholder of a secret in ${place}`)
}

function decodePercent(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  )
}

/** As JSON and scripts write letters. */
function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, four?: string, two?: string) =>
    String.fromCodePoint(Number.parseInt(four ?? two ?? '', 16)),
  )
}
