import type { IssueCollector } from '../language/compute-issue.ts'
import { errorOf } from '../language/compute-issue.ts'
import type { ValueDeclaration } from '../language/compute-logic.ts'
import type { Program } from '../language/program.ts'
import { escapeText } from '../text/quote-text.ts'
import { checkDeclared, type DeclaredPlace } from '../walk/check-declared.ts'

interface Place {
  readonly collector: IssueCollector
  readonly declared: DeclaredPlace
}

/** One for all: an enum may have thousands of values, and an error remembers where it was made. */
const misfit = errorOf('', { code: 'bad_program', message: '', hint: '' })

/** Notes declarations of arguments and of the result that no value can be: bounds that exclude each other, an enum that fits in no part. */
export function checkDeclarations(
  { inputs = [], output, limits }: Program,
  collector: IssueCollector,
): void {
  const declared = { limits, check: (value: unknown) => value, error: () => misfit }
  const place = { collector, declared }
  for (const { name, declaration } of inputs) check(declaration, `inputs.${name}`, place)
  if (output !== undefined) check(output, 'output', place)
}

function check(declaration: ValueDeclaration, path: string, place: Place): void {
  const { type, min = -Infinity, max = Infinity, enum: choices, items, fields } = declaration
  const refuse = (field: string, message: string, hint: string): void =>
    place.collector.addAt(`${path}.${field}`, { code: 'bad_program', message, hint })
  if (type === 'integer' ? Math.ceil(min) > Math.floor(max) : min > max) {
    refuse('max', `no ${type} is from ${min} to ${max}`, 'Let min be the smaller one.')
  } else if (choices?.some((choice) => fits(choice, declaration, place)) === false) {
    refuse('enum', 'none of these values is what is declared', `Give values that fit the ${type}.`)
  }
  if (items !== undefined) check(items, `${path}.items`, place)
  for (const [name, field] of Object.entries(fields ?? {})) {
    check(field, `${path}.fields.${escapeText(name)}`, place)
  }
}

function fits(value: unknown, declaration: ValueDeclaration, { declared }: Place): boolean {
  const { enum: _, ...rest } = declaration
  try {
    checkDeclared(value, rest, { label: '', place: declared })
    return true
  } catch (error) {
    if (error === misfit) return false
    throw error
  }
}
