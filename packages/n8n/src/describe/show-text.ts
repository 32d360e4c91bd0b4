// Characters that are not seen, or change how others are seen. Line breaks are handled by those who draw lines.
const unseenRanges: readonly string[] = [
  String.raw`\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}`,
  String.raw`\u00A0\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200A\u202F\u205F`,
  String.raw`\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0\u{16FE4}\u{1D159}\u{E0100}-\u{E01EF}`,
]
const unseen = new RegExp(`[${unseenRanges.join('')}]`, 'gu')
const manyBlanks = / {60,}/g

/** A text with each hidden character written out as its code, and long runs of blanks as their number. */
export function makeVisible(text: string): string {
  return text
    .replaceAll(
      unseen,
      (character) =>
        `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replaceAll(manyBlanks, (blanks) => `⟨${blanks.length} blanks⟩`)
}

/** An author's text between quotation marks that it does not hold itself, on one line. */
export function quote(text: string): string {
  const mark = ['"', "'", '`'].find((each) => !text.includes(each))
  return mark === undefined
    ? makeVisible(JSON.stringify(text))
    : `${mark}${makeVisible(text)}${mark}`
}

/** A text cut at `most` characters; says so, with its length. */
export function cutText(
  text: string,
  most: number,
): { readonly text: string; readonly note: string } {
  if (text.length <= most) return { text, note: '' }
  return {
    text: text.slice(0, most).toWellFormed(),
    note: ` … (cut: ${most} of ${text.length} characters are shown)`,
  }
}

/** Like {@link quote}, cut at `most` characters. */
export function quoteCut(text: string, most: number): string {
  const cut = cutText(text, most)
  return `${quote(cut.text)}${cut.note}`
}

const plainWord = /^[A-Za-z0-9_./-]{1,64}$/
const plainAddress = /^https?:\/\/[A-Za-z0-9\-._~:/?#[\]@!$&()*+,;=%{}]{1,300}$/

/** A text as it stands where it is one word or address, else between quotation marks. */
export function showWord(text: string): string {
  return plainWord.test(text) || plainAddress.test(text) ? text : quoteCut(text, 300)
}

const plainKey = /^[A-Za-z_$][\w$-]{0,63}$/

/** Where something is, such as `options.timeout` or `rules[0]["a b"]`. */
export function showPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      if (!plainKey.test(step)) return `[${quoteCut(step, 200)}]`
      return index === 0 ? step : `.${step}`
    })
    .join('')
}
