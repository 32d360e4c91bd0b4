/** Lower-case words joined by "-", of at most 40 characters; `node` when nothing is left. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 40).replace(/-$/, '') ?? 'node'
}

/** An id made of a name, another one than those that are taken. */
export function deriveNodeId(name: string, taken: ReadonlySet<string>): string {
  const base = slug(name)
  let id = base
  for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`
  return id
}

/**
 * An id in the form of a UUID, the same for the same texts. Not a secret, and no proof of anything: whoever deploys the
 * workflow puts another one in.
 */
export function deriveUuid(texts: readonly string[]): string {
  const text = JSON.stringify(texts)
  const digits = [1, 2, 3, 4].map((seed) => mix(text, seed).toString(16).padStart(8, '0')).join('')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    // Version 8 is for schemes of one's own.
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}

/** FNV-1a with a final avalanche, over UTF-16 code units. */
function mix(text: string, seed: number): number {
  let hash = 2_166_136_261 ^ Math.imul(seed, 0x9e3779b1)
  for (let index = 0; index < text.length; index += 1)
    // oxlint-disable-next-line unicorn/prefer-code-point
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
