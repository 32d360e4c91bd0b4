import { dumpBytes } from './dump-forms.ts'

/**
 * Encoders differ in what they escape; these are the ways that are in use: of components, by RFC 3986, of paths, of
 * everything, of forms, of whole URLs; and of the query, path, user and fragment in a URL, as browsers and Node write them.
 */
const escapedCharacters: readonly RegExp[] = [
  /[^A-Za-z0-9\-_.!~*'()]/gu,
  /[^A-Za-z0-9\-_.~]/gu,
  /[^A-Za-z0-9\-_.~/]/gu,
  /[^A-Za-z0-9]/gu,
  /[^A-Za-z0-9\-_.*]/gu,
  /[^A-Za-z0-9\-_.!~*'();/?:@&=+$,#]/gu,
  /[^!$-&(-;=?-~]/gu,
  /[^!$-;=@-\]_a-z|~]/gu,
  /[^!$-.0-9A-Z_a-z~]/gu,
  /[^!#-;=?-_a-~]/gu,
]

/** How often a text may have been percent-encoded. */
const maxLayers = 3

/** The ways in which URLs and forms write a text, up to three times over. */
export function listUrlForms(text: string): ReadonlySet<string> {
  const wellFormed = text.toWellFormed()
  let layer = new Set<string>()
  for (const escaped of escapedCharacters) {
    const once = wellFormed.replaceAll(escaped, escapeForUrl)
    layer.add(once)
    layer.add(once.replaceAll('%20', '+'))
  }
  const forms = new Set(layer)
  for (let count = 1; count < maxLayers; count += 1) {
    layer = new Set(Array.from(layer, encodeURIComponent))
    for (const form of layer) forms.add(form)
  }
  return forms
}

function escapeForUrl(character: string): string {
  return dumpBytes(new TextEncoder().encode(character), '%').toUpperCase()
}
