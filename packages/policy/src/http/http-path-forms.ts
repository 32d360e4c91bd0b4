const maxDecodings = 5

/**
 * Tells whether a server could take a URL's path for one at or below a prefix. Servers differ in how often they decode,
 * whether they fold case and what they make of `//`, `;` and dots, so each reading counts.
 */
export function couldReachPath(pathname: string, prefix: string): boolean {
  const wanted = normalise(prefix)
  if (wanted === '/') return true
  let form = pathname
  for (let step = 0; step <= maxDecodings; step += 1) {
    for (const reading of [normalise(form), resolveDots(normalise(form))])
      if (reading === wanted || reading.startsWith(`${wanted}/`)) return true
    const decoded = decodeOnce(form)
    if (decoded === form) return false
    form = decoded
  }
  // Nothing honest is encoded that often.
  return true
}

/** Lower case, no parameters of segments or decoded queries, no empty segments, no invisible characters. */
function normalise(path: string): string {
  const segments = path
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .map((segment) => segment.replace(/[;?#].*$/s, '').replace(/[\p{C}\p{Z}]/gu, ''))
  return `/${segments.filter((segment) => segment !== '' && segment !== '.').join('/')}`
}

function resolveDots(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/'))
    if (segment === '..') kept.pop()
    else if (segment !== '') kept.push(segment)
  return `/${kept.join('/')}`
}

/** Decodes what can be decoded and leaves the rest; also the `%u0061` of old servers. */
function decodeOnce(path: string): string {
  return path
    .replace(/(?:%[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .replace(/%u([\da-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
}
