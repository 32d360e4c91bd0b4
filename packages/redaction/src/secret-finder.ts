import { type SecretForm, listSecretForms, minSecretLength } from './secret-forms.ts'

/** What stands in place of a secret. */
export const redactedMark = '[redacted]'

/** How many characters are looked at together. */
const blockLength = 3
/** Blocks that count as different: five bits of each character, in which the cases of a letter are the same. */
const blockCount = 32_768
/** How many characters at the beginning of a form are used to look for it. */
const maxHeadLength = 24
/** How many characters write one character of base64 at most. */
const maxSpillLength = 3

/** A place in a text: from `start` up to `end`, without it. */
interface FoundSecret {
  readonly start: number
  readonly end: number
  /** Where to look for the next one. */
  readonly next: number
}

/**
 * Finds registered secrets in texts and takes them out. All forms are looked for at once, by Wu and Manber's method: a
 * table says for each block of characters how far the next form is at least, so most of a text is never looked at.
 */
export class SecretFinder {
  /** How many characters may be skipped after a block; 0 where the head of a form may end. */
  readonly #skips: Uint8Array = new Uint8Array(blockCount)
  /** The forms whose head ends in a block. */
  readonly #formsByBlock: Map<number, SecretForm[]> = new Map()
  readonly #headLength: number
  /** How many characters one secret takes at most, with what spills beside it; 0 where there are none. */
  readonly longest: number

  constructor(secrets: Iterable<string>) {
    const forms: SecretForm[] = []
    for (const secret of secrets)
      if (typeof secret === 'string' && secret.length >= minSecretLength)
        forms.push(...listSecretForms(secret))
    this.#headLength = forms.reduce(
      (shortest, { text }) => Math.min(shortest, text.length),
      forms.length === 0 ? 0 : maxHeadLength,
    )
    this.longest = forms.reduce(
      (longest, { text }) => Math.max(longest, text.length + 2 * maxSpillLength),
      0,
    )
    this.#skips.fill(this.#headLength - blockLength + 1)
    for (const form of forms) this.#learn(form)
  }

  /** Tells whether a text holds a secret in any of its forms. */
  isIn(text: string): boolean {
    return this.#findNext(text, 0) !== undefined
  }

  /** The text without secrets; the very same text when it holds none. */
  remove(text: string): string {
    let result = ''
    let position = 0
    let from = 0
    for (
      let found = this.#findNext(text, from);
      found !== undefined;
      found = this.#findNext(text, from)
    ) {
      // Secrets that overlap are taken out as one, so that no rest of the second stays behind.
      if (found.start > position || position === 0)
        result += text.slice(position, found.start) + redactedMark
      position = Math.max(position, found.end)
      from = found.next
    }
    return position === 0 ? text : result + text.slice(position)
  }

  #learn(form: SecretForm): void {
    for (let last = blockLength - 1; last < this.#headLength; last += 1) {
      const block = readBlock(form.text, last)
      const skip = this.#headLength - 1 - last
      this.#skips[block] = Math.min(this.#skips[block] ?? 0, skip)
      if (skip > 0) continue
      const sharing = this.#formsByBlock.get(block)
      if (sharing === undefined) this.#formsByBlock.set(block, [form])
      else sharing.push(form)
    }
  }

  /** The first secret that begins at or after a position. */
  #findNext(text: string, from: number): FoundSecret | undefined {
    if (this.#headLength === 0) return undefined
    const skips = this.#skips
    const toEnd = this.#headLength - 1
    for (let last = from + toEnd; last < text.length;) {
      const block = readBlock(text, last)
      const skip = skips[block] ?? 0
      if (skip > 0) {
        last += skip
        continue
      }
      const start = last - toEnd
      const found = findAt(text, start, this.#formsByBlock.get(block) ?? [])
      if (found !== undefined) return found
      last += 1
    }
    return undefined
  }
}

/** The number of the block that ends at a position. */
function readBlock(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) & 31) << 10) |
    ((text.charCodeAt(last - 1) & 31) << 5) |
    (text.charCodeAt(last) & 31)
  )
}

/** The longest of the forms that stand at a position. */
function findAt(
  text: string,
  start: number,
  forms: readonly SecretForm[],
): FoundSecret | undefined {
  let longest: SecretForm | undefined
  for (const form of forms)
    if (form.text.length > (longest?.text.length ?? 0) && standsAt(text, start, form))
      longest = form
  if (longest === undefined) return undefined
  const end = start + longest.text.length
  const next = start + 1
  if (!longest.spills) return { start, end, next }
  return { start: start - countBefore(text, start), end: end + countAfter(text, end), next }
}

/** How many characters before a position write one character of base64. */
function countBefore(text: string, end: number): number {
  return (
    /(?:%2[BF]|\\\/|[\w+/-])$/i.exec(text.slice(Math.max(0, end - maxSpillLength), end))?.[0]
      .length ?? 0
  )
}

/** How many characters after a position write one character of base64. */
function countAfter(text: string, start: number): number {
  return (
    /^(?:%2[BF]|\\\/|[\w+/-])/i.exec(text.slice(start, start + maxSpillLength))?.[0].length ?? 0
  )
}

/**
 * Looks from the end, and no further than the first difference. The beginning of a secret is often known to everybody, so
 * a text may repeat it; its end is not.
 */
function standsAt(text: string, start: number, { text: form, ignoresCase }: SecretForm): boolean {
  if (start + form.length > text.length) return false
  for (let at = form.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(start + at)
    const folded = ignoresCase && code >= 65 && code <= 90 ? code + 32 : code
    if (folded !== form.charCodeAt(at)) return false
  }
  return true
}
