import { randomBytes } from 'node:crypto'

/** New for each process, so that a placeholder found in a log or a model's memory is worth nothing later. */
const nonce = randomBytes(8).toString('hex')

/** How every placeholder of this process begins. */
const opening = `tmsec_${nonce}_`

/** What begins like a placeholder, also of another process or written in capitals. */
const lookalike = /tmsec_[0-9a-f]+_/gi

/** What stands for a secret until the request is sent. */
export function createPlaceholder(name: string): string {
  return `${opening}${name}_`
}

/** Whether a text holds something that looks like a placeholder, real or forged. */
export function hasPlaceholder(text: string): boolean {
  return text.search(lookalike) !== -1
}

/** A part of a text: as it stands, or the name of a secret; `undefined` for what looks like a placeholder and is none. */
export type TextPart =
  | { readonly literal: string }
  | { readonly secret: string | undefined; readonly shown: string }

/** Splits a text at its placeholders. Of names that begin alike, such as `API` and `API_KEY`, the longest that fits is meant. */
export function splitAtPlaceholders(text: string, names: readonly string[]): readonly TextPart[] {
  const longestFirst = names.toSorted((left, right) => right.length - left.length)
  const parts: TextPart[] = []
  let position = 0
  for (const { index, 0: found } of text.matchAll(lookalike)) {
    // Inside of a placeholder before: a secret may itself be called `tmsec_0_`.
    if (index < position) continue
    if (index > position) parts.push({ literal: text.slice(position, index) })
    const name =
      found === opening
        ? longestFirst.find((each) => text.startsWith(`${each}_`, index + opening.length))
        : undefined
    const length = name === undefined ? found.length : createPlaceholder(name).length
    parts.push({ secret: name, shown: text.slice(index, index + Math.max(length, 60)) })
    position = index + length
  }
  if (position < text.length) parts.push({ literal: text.slice(position) })
  return parts
}
