/** A path to which secrets are bound, with everything below it. */
export interface PathPrefix {
  /** As URLs write it, without `/` at its end; the root is empty. */
  readonly path: string
}

/** How often a path may have been percent-encoded; one encoded more often is taken for a trick. */
const maxLayers = 4

/** Reads a path such as `/v1`; a text says what is wrong with it. */
export function readPathPrefix(text: string): PathPrefix | string {
  if (!text.startsWith('/')) return 'a path begins with /'
  if (/[?#\\*;%]|\/\/|[\p{C}\p{Z}]/u.test(text))
    return 'a path is written plainly, without query, encoding, * or spaces; it stands for all below it'
  if (text.split('/').some(isDots)) return 'a path may not hold . or .. as steps'
  // The URL parser writes letters beyond ASCII as requests will have them.
  return { path: new URL(text, 'https://example.com').pathname.replace(/\/$/, '') }
}

/**
 * Whether the path of a URL lies below another, however a server may read it: the path must begin so as it is sent, and
 * hold no step that climbs, in any number of decodings, with either slash, and with parameters such as `..;` cut off.
 */
export function isPathBelow(pathname: string, { path }: PathPrefix): boolean {
  if (pathname !== path && !pathname.startsWith(`${path}/`)) return false
  let view = pathname
  for (let layer = 0; layer < maxLayers; layer += 1) {
    if (view.split(/[/\\]/).some(isDots)) return false
    const decoded = decodeOnce(view)
    // Bytes that are no UTF-8 are how dots were once hidden, and read differently by every server.
    if (decoded.includes('\uFFFD')) return false
    if (decoded === view) return true
    view = decoded
  }
  return false
}

/** Whether a step would climb or stay, also for servers that drop parameters, spaces or invisible characters, or fold wide letters. */
function isDots(step: string): boolean {
  const plain = step
    .replace(/;.*$/s, '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
  return /^\.+$/.test(plain)
}

/** Decodes what can be decoded and leaves the rest, as lenient servers do; also the `%u002e` of old ones. */
function decodeOnce(text: string): string {
  return text
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .replaceAll(/%u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
}
