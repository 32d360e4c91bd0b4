import { errorAt, type Site } from '../language/compute-issue.ts'
import { quoteCharacter, quoteText } from '../text/quote-text.ts'
import { continuesName, isDigit, startsName } from './variable-table.ts'

const symbols: ReadonlySet<string> = new Set(
  '<= >= == != && || + - * / % ( ) [ ] < > ! ? : , . | }'.split(' '),
)

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
/** How many hexadecimal digits follow. */
const hexadecimalEscapes = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

const characterHints = new Map([
  ['=', 'To compare, use ==. An expression cannot assign.'],
  ['&', 'For "and", use &&.'],
  ['^', 'For powers, use pow(x, y).'],
  ['{', 'For an object, end with a return step that has "fields".'],
  [';', 'Write one step for each expression.'],
])

/**
 * Cuts a text into tokens, one at a time and by hand: no regular expression ever meets untrusted text. `kind`, `text`
 * and `offset` are those of the token that is to be read next; the text of a string is its unescaped content.
 */
export class Tokenizer {
  kind: 'number' | 'name' | 'string' | 'symbol' | 'end' = 'end'
  text = ''
  offset = 0
  readonly #site: Site
  readonly #source: string
  #at: number

  constructor(site: Site, from: number) {
    this.#site = site
    this.#source = site.text
    this.#at = from
    this.advance()
  }

  /** Goes on if the token is this symbol, and tells whether it was. */
  take(symbol: string): boolean {
    if (this.text !== symbol || this.kind !== 'symbol') return false
    this.advance()
    return true
  }

  /** Goes on to the next token. */
  advance(): void {
    const source = this.#source
    let code = source.charCodeAt(this.#at)
    while (code === 32 || code === 9 || code === 10 || code === 13)
      code = source.charCodeAt(++this.#at)
    const start = this.#at
    this.offset = start
    if (startsName(code)) {
      this.kind = 'name'
      while (continuesName(source.charCodeAt(++this.#at)));
    } else if (isDigit(code)) {
      this.kind = 'number'
      this.#skipNumber(start)
    } else if (code === 34 || code === 39) {
      this.kind = 'string'
      this.text = this.#readText(source.charAt(start))
      return
    } else if (start >= source.length) {
      this.kind = 'end'
    } else {
      this.kind = 'symbol'
      this.#skipSymbol(start)
    }
    this.text = source.slice(start, this.#at)
  }

  #fail(offset: number, message: string, hint: string): never {
    throw errorAt(this.#site, offset, { code: 'bad_token', message, hint })
  }

  #code(ahead = 0): number {
    return this.#source.charCodeAt(this.#at + ahead)
  }

  #skipDigits(): void {
    while (isDigit(this.#code())) this.#at++
  }

  #skipNumber(start: number): void {
    this.#skipDigits()
    if (this.#code() === 46 && isDigit(this.#code(1))) {
      this.#at++
      this.#skipDigits()
    }
    if ((this.#code() | 32) === 101) {
      const signed = this.#code(1) === 43 || this.#code(1) === 45
      if (isDigit(this.#code(signed ? 2 : 1))) {
        this.#at += signed ? 2 : 1
        this.#skipDigits()
      }
    }
    if (!continuesName(this.#code()) && this.#code() !== 46) return
    while (continuesName(this.#code()) || this.#code() === 46) this.#at++
    this.#fail(
      start,
      `${quoteText(this.#source.slice(start, this.#at))} is no number`,
      'Write numbers as 1000, 0.5 or 1e3: a digit before and after the point, no separators.',
    )
  }

  #skipSymbol(start: number): void {
    const source = this.#source
    const pair = source.slice(start, start + 2)
    this.#at += pair.length
    if (pair.length === 2 && symbols.has(pair)) return
    this.#at = start + 1
    const character = source.charAt(start)
    if (symbols.has(character)) return
    this.#fail(
      start,
      `unexpected character ${quoteCharacter(String.fromCodePoint(source.codePointAt(start) ?? 0))}`,
      characterHints.get(character) ??
        'Use numbers, names, strings in quotes, brackets and the operators of the language.',
    )
  }

  #readText(quote: string): string {
    const source = this.#source
    const start = this.#at++
    let content = ''
    for (let from = this.#at; this.#at < source.length;) {
      const character = source.charAt(this.#at)
      if (character === quote) return content + source.slice(from, this.#at++)
      if (character === '\\') {
        content += source.slice(from, this.#at) + this.#readEscape(source.charAt(this.#at + 1))
        from = this.#at
      } else this.#at++
    }
    return this.#fail(
      start,
      `the string that starts here has no closing ${quote}`,
      `Close it with ${quote}.`,
    )
  }

  /** Reads an escape from its backslash on. */
  #readEscape(letter: string): string {
    const hexadecimal = hexadecimalEscapes.get(letter)
    const isOctal = letter >= '0' && letter <= '3'
    const length = hexadecimal ?? (isOctal ? 3 : 0)
    if (length > 0) {
      const from = this.#at + (isOctal ? 1 : 2)
      const digits = this.#source.slice(from, from + length)
      const value = digits.length === length ? readDigits(digits, isOctal ? 8 : 16) : Number.NaN
      if (value <= 0x10_ff_ff) {
        this.#at = from + length
        return String.fromCodePoint(value)
      }
    } else if (Object.hasOwn(escapes, letter) || (letter !== '' && '\\"\'`?'.includes(letter))) {
      this.#at += 2
      return escapes[letter] ?? letter
    }
    return this.#fail(
      this.#at,
      `unknown escape ${quoteText(`\\${letter}`)}`,
      String.raw`Use \\, \", \', \n, \r, \t, or \u and four hexadecimal digits.`,
    )
  }
}

/** The value of digits, NaN unless all of them are digits of the base. */
function readDigits(digits: string, base: number): number {
  let value = 0
  for (const digit of digits) {
    // Only one character that is a digit gives a number here: "+1" or "1." never get in.
    const next = Number.parseInt(digit, base)
    value = value * base + next
  }
  return value
}
