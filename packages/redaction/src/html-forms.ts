/** How quotes are written: writers of HTML differ. */
const quotes: readonly (readonly [double: string, single: string])[] = [
  ['"', "'"],
  ['&quot;', "'"],
  ['&quot;', '&#39;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&#x27;'],
  ['&quot;', '&apos;'],
  ['&#34;', '&#39;'],
  ['&#x22;', '&#x27;'],
]

/** The ways in which HTML and XML write a text. */
export function listHtmlForms(text: string): readonly string[] {
  if (!/[&<>"']/.test(text)) return [text]
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return quotes.map(([double, single]) => plain.replaceAll('"', double).replaceAll("'", single))
}
