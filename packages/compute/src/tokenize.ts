import { errorAt, type Site } from './compute-issue.ts'
import { quoteCharacter, quoteText } from './quote-text.ts'
import { continuesName, isDigit, startsName } from './variable-name.ts'

/** Which operators and literals an expression may use: `math` gives numbers, `condition` true or false. */
export type Grammar = 'math' | 'condition'

/** A piece of an expression. `text` is what stands there; for a text literal it is the unescaped content. */
export interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'symbol' | 'end'
  readonly text: string
  readonly offset: number
}

const conditionOnly = new Set(['<', '>', '=', '!', '&', '|', '"', "'"])
const twoCharacterSymbols = new Set(['<=', '>=', '==', '!=', '&&', '||'])
const oneCharacterSymbols = new Set(['+', '-', '*', '/', '%', '(', ')', '<', '>', '!'])
const escapes = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

function isHexadecimal(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)
}

class Tokenizer {
  readonly #site: Site
  readonly #grammar: Grammar
  readonly #tokens: Token[] = []
  #at = 0

  constructor(site: Site, grammar: Grammar) {
    this.#site = site
    this.#grammar = grammar
  }

  read(): Token[] {
    const { text } = this.#site
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (isBlank(code)) this.#at++
      else if (isDigit(code)) this.#readNumber()
      else if (startsName(code)) this.#readName()
      else this.#readOther(text.charAt(this.#at))
    }
    this.#tokens.push({ kind: 'end', text: '', offset: text.length })
    return this.#tokens
  }

  #code(ahead = 0): number {
    return this.#site.text.charCodeAt(this.#at + ahead)
  }

  #add(kind: Token['kind'], start: number): void {
    this.#tokens.push({ kind, text: this.#site.text.slice(start, this.#at), offset: start })
  }

  #skipDigits(): void {
    while (isDigit(this.#code())) this.#at++
  }

  #readNumber(): void {
    const start = this.#at
    this.#skipDigits()
    if (this.#code() === 46 && isDigit(this.#code(1))) {
      this.#at++
      this.#skipDigits()
    }
    if (this.#code() === 101 || this.#code() === 69) {
      const signed = this.#code(1) === 43 || this.#code(1) === 45
      if (isDigit(this.#code(signed ? 2 : 1))) {
        this.#at += signed ? 2 : 1
        this.#skipDigits()
      }
    }
    if (continuesName(this.#code()) || this.#code() === 46) this.#refuseNumber(start)
    this.#add('number', start)
  }

  #refuseNumber(start: number): never {
    while (continuesName(this.#code()) || this.#code() === 46) this.#at++
    const found = this.#site.text.slice(start, this.#at)
    throw errorAt(this.#site, start, {
      code: 'bad_token',
      message: `${quoteText(found)} is no number`,
      hint: 'Write numbers as 1000, 0.5 or 1e3: a digit before and after the point, no separators.',
    })
  }

  #readName(): void {
    const start = this.#at
    while (continuesName(this.#code())) this.#at++
    this.#add('name', start)
  }

  #readOther(character: string): void {
    if (this.#grammar === 'math' && conditionOnly.has(character)) {
      throw errorAt(this.#site, this.#at, {
        code: 'bad_token',
        message: `${quoteText(character)} does not belong in math`,
        hint: 'Math works on numbers only; comparisons and text belong in "if" of a condition.',
      })
    }
    if (character === '"' || character === "'") return this.#readText(character)
    const start = this.#at
    const pair = this.#site.text.slice(start, start + 2)
    if (twoCharacterSymbols.has(pair)) this.#at += 2
    else if (oneCharacterSymbols.has(character)) this.#at += 1
    else this.#refuseCharacter(character)
    this.#add('symbol', start)
  }

  #refuseCharacter(character: string): never {
    const hints: Record<string, string> = {
      '=': 'To compare, use ==. An expression cannot assign.',
      '&': 'For "and", use &&.',
      '|': 'For "or", use ||.',
      '.': 'Write 0.5, not .5. To take a field of an object, use a lookup step.',
      '^': 'There is no power operator; multiply instead.',
    }
    const whole = String.fromCodePoint(this.#site.text.codePointAt(this.#at) ?? 0)
    throw errorAt(this.#site, this.#at, {
      code: 'bad_token',
      message: `unexpected character ${quoteCharacter(whole)}`,
      hint:
        (Object.hasOwn(hints, character) ? hints[character] : undefined) ??
        'Use numbers, variable names, parentheses and the operators of the language.',
    })
  }

  #readText(quote: string): void {
    const start = this.#at
    const { text } = this.#site
    let content = ''
    this.#at++
    while (this.#at < text.length) {
      const character = text.charAt(this.#at)
      if (character === quote) {
        this.#at++
        this.#tokens.push({ kind: 'text', text: content, offset: start })
        return
      }
      if (character === '\\') {
        content += this.#readEscape()
      } else {
        content += character
        this.#at++
      }
    }
    throw errorAt(this.#site, start, {
      code: 'bad_token',
      message: `the text that starts here has no closing ${quote}`,
      hint: `Close it with ${quote}.`,
    })
  }

  #readEscape(): string {
    const { text } = this.#site
    const plain = escapes.get(text.charAt(this.#at + 1))
    if (plain !== undefined) {
      this.#at += 2
      return plain
    }
    const digits = text.slice(this.#at + 2, this.#at + 6)
    const isUnicode =
      text.charAt(this.#at + 1) === 'u' &&
      digits.length === 4 &&
      Array.from(digits).every((digit) => isHexadecimal(digit.charCodeAt(0)))
    if (!isUnicode) {
      throw errorAt(this.#site, this.#at, {
        code: 'bad_token',
        message: `unknown escape ${quoteText(text.slice(this.#at, this.#at + 2))}`,
        hint: String.raw`Use \\, \", \', \n, \r, \t or \u and four hexadecimal digits.`,
      })
    }
    this.#at += 6
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
}

/** Cuts an expression into tokens, by hand: no regular expression ever meets untrusted text. */
export function tokenize(site: Site, grammar: Grammar): Token[] {
  return new Tokenizer(site, grammar).read()
}
