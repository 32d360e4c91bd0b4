import type { IssueCollector } from '../language/compute-issue.ts'
import type { InputDeclaration } from '../language/compute-logic.ts'
import { suggestName } from '../text/nearest-name.ts'
import { escapeText, quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { ownField } from './copy-program.ts'

/** The types a value can be declared to have. */
const declaredTypes = ['number', 'integer', 'string', 'boolean', 'array', 'object', 'any'] as const

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Beside `type` and `description`: for which types a field is, what it must be, and how to say so. */
const rules: Readonly<Record<string, readonly [string, (value: unknown) => boolean, string]>> = {
  min: ['number integer', isNumber, 'a number'],
  max: ['number integer', isNumber, 'a number'],
  enum: [
    'number integer string boolean any',
    (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
    'an array of values',
  ],
  format: ['string', (value) => value === 'date', '"date"'],
  maxLength: ['string', isCount, 'a whole number'],
  maxItems: ['array', isCount, 'a whole number'],
  items: ['array', isPlainObject, 'a declaration'],
  fields: ['object', isPlainObject, 'declarations by name'],
  default: ['', () => true, ''],
}

/** Checks declarations of values, noting every problem. */
export class DeclarationReader {
  readonly #collector: IssueCollector

  constructor(collector: IssueCollector) {
    this.#collector = collector
  }

  /** Reads what should be a declaration; undefined where it is none. Only those of arguments have a default. */
  read(given: unknown, path: string, hasDefault = false): InputDeclaration | undefined {
    if (!isPlainObject(given)) {
      const hint = 'Write { "type": "number" }.'
      return this.#refuse(path, `must be a declaration, got ${describeType(given)}`, hint)
    }
    const type = ownField(given, 'type')
    const description = ownField(given, 'description')
    if (!declaredTypes.some((name) => name === type)) {
      const shown = typeof type === 'string' ? quoteText(type) : describeType(type)
      const otherwise = `Use one of ${declaredTypes.join(', ')}.`
      const hint =
        typeof type === 'string' ? suggestName(type, declaredTypes, otherwise) : otherwise
      return this.#refuse(`${path}.type`, `there is no type ${shown}`, hint)
    }
    if (description !== undefined && typeof description !== 'string') {
      return this.#refuse(`${path}.description`, 'must be a string', 'Give a string.')
    }
    // Every field is its own, so that later nothing is read from a prototype.
    const declaration: Record<string, unknown> = { type, description }
    for (const key of Object.keys(rules)) declaration[key] = undefined
    const areRight = Object.keys(given).map((key) => {
      if (key === 'type' || key === 'description') return true
      const value = this.#readField(key, given, { path, hasDefault })
      declaration[key] = value
      return value !== undefined
    })
    return areRight.every(Boolean) ? (declaration as unknown as InputDeclaration) : undefined
  }

  #readField(
    key: string,
    given: Readonly<Record<string, unknown>>,
    { path, hasDefault }: { readonly path: string; readonly hasDefault: boolean },
  ): unknown {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    const value = given[key]
    const type = given['type'] as string
    if (rule === undefined || (key === 'default' && !hasDefault)) {
      const names = Object.keys(rules).filter((name) => hasDefault || name !== 'default')
      const hint = suggestName(key, ['type', ...names], `Known: type, ${names.join(', ')}.`)
      return this.#refuse(path, `a declaration has no field ${quoteText(key)}`, hint)
    }
    const [types, isRight, wanted] = rule
    if (types !== '' && !types.split(' ').includes(type)) {
      return this.#refuse(`${path}.${key}`, `is not for the type ${type}`, `It is for ${types}.`)
    }
    if (!isRight(value)) {
      return this.#refuse(`${path}.${key}`, `must be ${wanted}`, `Give ${wanted}.`)
    }
    if (key === 'items') return this.read(value, `${path}.items`)
    if (key !== 'fields') return value
    const entries = Object.entries(value as object).map(
      ([name, field]) => [name, this.read(field, `${path}.fields.${escapeText(name)}`)] as const,
    )
    return entries.every(([, field]) => field !== undefined)
      ? Object.fromEntries(entries)
      : undefined
  }

  #refuse(path: string, message: string, hint: string): undefined {
    this.#collector.addAt(path, { code: 'bad_program', message, hint })
  }
}
