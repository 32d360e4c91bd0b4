import { errorAt, type Site } from '../language/compute-issue.ts'
import { quoteCharacter, quoteText } from '../text/quote-text.ts'
import { powersOfTen } from '../values/decimal.ts'
import { continuesName, isDigit, startsName } from './variable-table.ts'

/** How tightly comparisons bind. */
export const comparisonLevel = 3

interface OperatorSymbol {
  readonly text: string
  /** How tightly an operator with two sides binds, 0 for what is none. */
  readonly level: number
}

/** Symbols by the code of their first character: alone, and where the second character follows. */
const singles: OperatorSymbol[] = []
const pairs: OperatorSymbol[] = []
for (const [level, texts] of [
  '( ) [ ] ! ? : , . | }',
  '||',
  '&&',
  '< > <= >= == !=',
  '+ -',
  '* / %',
].entries()) {
  for (const text of texts.split(' ')) {
    const symbols = text.length === 1 ? singles : pairs
    symbols[text.charCodeAt(0)] = { text, level }
  }
}

/** Digits that a double holds exactly, whatever they are. */
const mostExact = 15

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
  /** Of a number. */
  value = 0
  /** Of an operator with two sides, how tightly it binds; otherwise 0. */
  level = 0
  offset = 0
  #site: Site = { path: '', text: '' }
  #source = ''
  #at = 0

  /** Begins with another text. */
  start(site: Site, from: number): void {
    this.#site = site
    this.#source = site.text
    this.#at = from
    this.advance()
  }

  /** Whether the token is this symbol. */
  is(symbol: string): boolean {
    return this.kind === 'symbol' && this.text === symbol
  }

  /** Goes on if the token is this symbol, and tells whether it was. */
  take(symbol: string): boolean {
    if (this.kind !== 'symbol' || this.text !== symbol) return false
    this.advance()
    return true
  }

  /** Goes on to the next token. */
  advance(): void {
    const source = this.#source
    let at = this.#at
    let code = this.#code(at)
    while (code === 32 || code === 9 || code === 10 || code === 13) code = this.#code(++at)
    this.offset = at
    this.level = 0
    if (startsName(code)) {
      const start = at
      while (continuesName(this.#code(++at)));
      this.kind = 'name'
      this.text = source.slice(start, at)
      if (this.text === 'in') this.level = comparisonLevel
    } else if (isDigit(code)) {
      this.kind = 'number'
      at = this.#readNumber(at)
    } else if (code === 34 || code === 39) {
      this.#at = at
      this.kind = 'string'
      this.text = this.#readText(source.charAt(at))
      return
    } else if (at >= source.length) {
      this.kind = 'end'
      this.text = ''
    } else {
      const pair = pairs[code]
      const isPair = pair !== undefined && this.#code(at + 1) === pair.text.charCodeAt(1)
      const symbol = (isPair ? pair : singles[code]) ?? this.#refuseCharacter(at)
      this.kind = 'symbol'
      this.text = symbol.text
      this.level = symbol.level
      at += symbol.text.length
    }
    this.#at = at
  }

  /** The UTF-16 unit at a place, 0 behind the end: reading there would make every reading slow. */
  #code(at: number): number {
    return at < this.#source.length ? this.#source.charCodeAt(at) : 0
  }

  #fail(offset: number, message: string, hint: string): never {
    throw errorAt(this.#site, offset, { code: 'bad_token', message, hint })
  }

  #refuseCharacter(at: number): never {
    const source = this.#source
    this.#fail(
      at,
      `unexpected character ${quoteCharacter(String.fromCodePoint(source.codePointAt(at) ?? 0))}`,
      characterHints.get(source.charAt(at)) ??
        'Use numbers, names, strings in quotes, brackets and the operators of the language.',
    )
  }

  #digitsEnd(from: number): number {
    let at = from
    for (let code = this.#code(at); isDigit(code); code = this.#code(++at)) {
      this.value = this.value * 10 + code - 48
    }
    return at
  }

  #readNumber(start: number): number {
    const source = this.#source
    this.value = 0
    let at = this.#digitsEnd(start)
    let isWhole = true
    let decimals = 0
    if (this.#code(at) === 46) {
      const point = at++
      at = this.#digitsEnd(at)
      decimals = at - point - 1
      isWhole = decimals > 0
    }
    // Up to here 15 digits and a power of ten are exact, so is their quotient but for one rounding.
    let isExact = at - start <= mostExact
    if ((this.#code(at) | 32) === 101) {
      const sign = this.#code(at + 1)
      at = this.#digitsEnd(at + (sign === 43 || sign === 45 ? 2 : 1))
      isExact = false
      isWhole &&= isDigit(this.#code(at - 1))
    }
    let end = at
    while (continuesName(this.#code(end)) || this.#code(end) === 46) end++
    this.text = source.slice(start, end)
    if (!isWhole || end > at) {
      this.#fail(
        start,
        `${quoteText(this.text)} is no number`,
        'Write numbers as 1000, 0.5 or 1e3: a digit before and after the point, no separators.',
      )
    }
    this.value = isExact ? this.value / (powersOfTen[decimals] ?? 1) : Number(this.text)
    return at
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
