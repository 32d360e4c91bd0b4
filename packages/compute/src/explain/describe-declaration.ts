import type { InputDeclaration, ValueDeclaration } from '../language/compute-logic.ts'
import type { ExplanationLine } from './explanation-line.ts'
import { escapeText } from '../text/quote-text.ts'
import { showQuoted, showText } from './show-text.ts'
import { valueText } from './value-text.ts'

/** A declared value in a few words, such as `number from 0 to 10`. */
function declarationWords(declaration: ValueDeclaration): string {
  const { type, min, max, enum: choices, format, maxLength, maxItems } = declaration
  const words: string[] = [type === 'any' ? 'any value' : type]
  if (min !== undefined && max !== undefined) words.push(`from ${min} to ${max}`)
  else if (min !== undefined) words.push(`of at least ${min}`)
  else if (max !== undefined) words.push(`of at most ${max}`)
  if (format !== undefined) words.push('that is a date such as 2026-02-28')
  if (maxLength !== undefined) words.push(`of at most ${maxLength} characters`)
  if (maxItems !== undefined) words.push(`of at most ${maxItems} items`)
  if (choices !== undefined) {
    words.push(`that is one of ${choices.map((choice) => valueText(choice)).join(', ')}`)
  }
  return words.join(' ')
}

/**
 * What a declaration says.
 *
 * @yields one line, then those of its items and fields
 */
export function* describeDeclaration(
  declaration: InputDeclaration,
  { path, depth, subject }: Omit<ExplanationLine, 'sentence'>,
  opening: string,
): Generator<ExplanationLine, void> {
  const { description, items, fields = {}, default: fallback } = declaration
  const without = fallback === undefined ? '' : `; ${valueText(fallback)} if it is not passed`
  const said = description === undefined ? '' : `. The author says: ${showQuoted(description)}`
  yield {
    path,
    depth,
    subject,
    sentence: `${opening}${declarationWords(declaration)}${without}${said}.`,
  }
  if (items !== undefined) {
    const place = { path: `${path}.items`, depth: depth + 1, subject: `${subject} items` }
    yield* describeDeclaration(items, place, 'Each item: ')
  }
  for (const [name, field] of Object.entries(fields)) {
    const place = {
      path: `${path}.fields.${escapeText(name)}`,
      depth: depth + 1,
      subject: `${subject}.${showText(name)}`,
    }
    yield* describeDeclaration(field, place, `Field ${showQuoted(name)}: `)
  }
}
