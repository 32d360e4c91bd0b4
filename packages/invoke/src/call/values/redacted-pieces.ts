import type { Redactor } from '@toolcrib/redaction'

/** Characters of a text that are looked through at once, unless secrets are so long that more are needed. */
const pieceLength = 262_144

/**
 * A text without secrets, as `redactText` gives it, looked through piece by piece; the very same text when it holds none.
 *
 * @yields nothing: it pauses.
 */
export function* redactInPieces(text: string, redactor: Redactor): Generator<void, string> {
  const { redactText, maxSecretLength } = redactor
  if (maxSecretLength === undefined || text.length <= pieceLength) return redactText(text)
  let clean = ''
  let isClean = true
  for (let from = 0; from < text.length;) {
    const to = findCut(text, from, redactor)
    const piece = text.slice(from, to)
    const redacted = redactText(piece)
    isClean &&= redacted === piece
    clean += redacted
    from = to
    yield
  }
  return isClean ? text : clean
}

/** The end of a piece: a place where no secret is on both sides. Where they stand too close for that, the end of the text. */
function findCut(text: string, from: number, { redactText, maxSecretLength }: Redactor): number {
  const overlap = maxSecretLength?.() ?? text.length
  const wanted = from + Math.max(pieceLength, 8 * overlap)
  if (wanted >= text.length) return text.length
  if (overlap === 0) return wanted
  for (let at = wanted; at >= from + 2 * overlap; at -= 2 * overlap) {
    const around = text.slice(at - overlap, at + overlap)
    if (redactText(around) === around) return at
  }
  return text.length
}

/** Looks for secrets in a text that comes in pieces. */
export class SecretWatch {
  /** A secret was found. */
  hasFound = false
  readonly #redactor: Redactor
  #before = ''

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** Whether pieces are enough; else {@link lookAt} is to be handed the whole. */
  get takesPieces(): boolean {
    return this.#redactor.maxSecretLength !== undefined
  }

  lookAt(piece: string): void {
    if (this.hasFound) return
    const { redactText, maxSecretLength } = this.#redactor
    const seen = this.#before + piece
    this.hasFound = redactText(seen) !== seen
    const overlap = maxSecretLength?.() ?? 0
    this.#before = overlap === 0 ? '' : seen.slice(-overlap)
  }
}
