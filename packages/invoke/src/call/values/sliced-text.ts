import { countBytes } from './bounded-text.ts'
import type { SecretWatch } from './redacted-pieces.ts'

/** Characters that are put together at once. */
const flatLength = 65_536
/** Characters of one text that are written at once. */
const pieceLength = 262_144

/** A long text that grows by small pieces and is never copied as a whole. */
export class SlicedText {
  #text = ''
  #beginning = ''
  #bytes = 0
  #pieces: string[] = []
  #length = 0
  /** Characters since the last pause. */
  #sincePause = 0
  readonly #watch: SecretWatch | undefined

  /** @param watch looks at the text while it grows. */
  constructor(watch?: SecretWatch) {
    this.#watch = watch
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length >= flatLength) this.#flatten()
  }

  /**
   * Writes a text as JSON does.
   *
   * @yields nothing: it pauses between the pieces of a long text, and between texts that are long together.
   */
  *addJsonText(text: string): Generator<void, void> {
    if (text.length <= pieceLength) {
      this.add(JSON.stringify(text))
      this.#sincePause += text.length
      if (this.#sincePause <= pieceLength) return
      this.#sincePause = 0
      yield
      return
    }
    this.add('"')
    for (let from = 0; from < text.length;) {
      const to = endOfPiece(text, from)
      this.add(JSON.stringify(text.slice(from, to)).slice(1, -1))
      from = to
      yield
    }
    this.add('"')
  }

  /** The whole, its size in UTF-8, and its beginning apart: to cut that from the whole would copy the whole first. */
  end(): { readonly text: string; readonly bytes: number; readonly beginning: string } {
    this.#flatten()
    if (this.#watch?.takesPieces === false) this.#watch.lookAt(this.#text)
    return { text: this.#text, bytes: this.#bytes, beginning: this.#beginning }
  }

  #flatten(): void {
    const flat = this.#pieces.join('')
    this.#text += flat
    if (this.#watch?.takesPieces === true) this.#watch.lookAt(flat)
    if (this.#beginning.length < flatLength) this.#beginning += flat
    this.#bytes += countBytes(flat)
    this.#pieces = []
    this.#length = 0
  }
}

/** Both halves of a character stay together: JSON writes a half alone differently. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + pieceLength, text.length)
  const last = text.charCodeAt(to - 1)
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to - 1 : to
}
