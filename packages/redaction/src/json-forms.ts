/** How often a text may have been put into JSON that was put into JSON. */
const maxLayers = 4

/** JSON may be written in several ways; these are the ones that writers of it use. */
const escapes: readonly ((text: string) => string)[] = [
  escapeAsJson,
  (text) => escapeAsJson(text).replaceAll('/', '\\/'),
  (text) => escapeAsCodes(text, /[^\x20-\x7e]/g),
  (text) => escapeAsCodes(text, /[<>&\u2028\u2029]/g),
  (text) => escapeAsCodes(text, /[^\x20-\x7e]|\\"|['<>&+`]/g),
]

/** The ways in which JSON writes a text, up to four times over. */
export function listJsonForms(text: string): ReadonlySet<string> {
  let layer = new Set(escapes.map((escape) => escape(text)))
  const forms = new Set(layer)
  for (let count = 1; count < maxLayers; count += 1) {
    layer = new Set(Array.from(layer, escapeAsJson))
    for (const form of layer) forms.add(form)
  }
  return forms
}

/** A text as it stands between the quotes of JSON. */
export function escapeAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapeAsCodes(text: string, pattern: RegExp): string {
  return escapeAsJson(text).replaceAll(
    pattern,
    (found) =>
      `\\u${found
        .charCodeAt(found.length - 1)
        .toString(16)
        .padStart(4, '0')}`,
  )
}
