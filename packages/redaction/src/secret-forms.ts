/** Shorter values are not searched for: they would be found in ordinary text and tear it apart. */
export const minSecretLength = 6

/** How often a text may have been put into JSON that was put into JSON. */
const maxJsonLayers = 4

/**
 * The ways in which a secret can stand in a text: as it is; as JSON writes it, up to four times over, also with `/` escaped or
 * with everything but ASCII escaped; percent-encoded as in URLs; in base64.
 */
export function listSecretForms(secret: string): readonly string[] {
  const forms = new Set<string>([secret])
  for (const escape of [escapeAsJson, escapeSlashes, escapeToAscii]) {
    let form = escape(secret)
    for (let layer = 0; layer < maxJsonLayers; layer += 1) {
      forms.add(form)
      form = escapeAsJson(form)
    }
  }
  forms.add(encodeForUrl(secret))
  forms.add(encodeBase64(secret))
  forms.delete('')
  return [...forms]
}

function escapeAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapeSlashes(text: string): string {
  return escapeAsJson(text).replaceAll('/', '\\/')
}

function escapeToAscii(text: string): string {
  return escapeAsJson(text).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function encodeForUrl(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : ''
}

function encodeBase64(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  // Padding is left out: inside a longer text in base64 it would not stand there.
  return btoa(bytes).replaceAll('=', '')
}
