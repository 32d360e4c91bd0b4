import type { GuardedResponse } from './http-guard.ts'
import { httpViolation } from './http-violation.ts'
import type { SecretFiller } from '../secrets/secret-vault.ts'

const maxDecodings = 3
/** Decoding longer texts would hold up the program for what is only a clearer error. */
const maxDecodedLength = 1_048_576

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
  for (let step = 0; step < maxDecodings && form.length <= maxDecodedLength; step += 1) {
    const decoded = decodePercent(decodeEscapes(form))
    if (decoded === form) break
    form = decoded
    readings.add(form)
  }
  for (const reading of readings)
    if (filler.hasPlaceholder(reading))
      throw httpViolation('secret.place', `put the placeholder of a secret in ${place}`)
}

/**
 * Refuses to follow a redirect that carries a secret in its URL: it would be sent where the secret is not bound to, and
 * stand in logs and messages.
 *
 * @throws {ToolPolicyViolation} http.redirect
 */
export function refuseSecretInRedirect(filler: SecretFiller, location: string): void {
  if (filler.redactText(location) !== location)
    throw httpViolation('http.redirect', 'follow a redirect that carries a secret in its URL')
}

/** An answer without values of secrets, which servers send back by mistake, in error pages, or to whoever asks. */
export function hideSecrets(filler: SecretFiller, answer: GuardedResponse): GuardedResponse {
  const hide = (text: string): string => filler.redactText(text)
  const headers = Object.entries(answer.headers)
    .filter(([name]) => hide(name) === name)
    .map(([name, value]): [string, string] => [name, hide(value)])
  const text = Buffer.from(answer.body).toString('latin1')
  const shown = hide(text)
  const isChanged = shown !== text
  return {
    ...answer,
    statusText: hide(answer.statusText),
    headers: Object.fromEntries(
      headers.filter(([name]) => !(isChanged && name === 'content-length')),
    ),
    setCookies: answer.setCookies.map(hide),
    body: isChanged ? Buffer.from(shown, 'latin1') : answer.body,
  }
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
