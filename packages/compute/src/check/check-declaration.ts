import type { IssueCollector } from '../language/compute-issue.ts'
import { errorOf } from '../language/compute-issue.ts'
import type { ValueDeclaration } from '../language/compute-logic.ts'
import { ComputeError } from '../language/compute-error.ts'
import type { Program } from '../language/program.ts'
import { escapeText } from '../text/quote-text.ts'
import { checkDeclared } from '../walk/check-declared.ts'

type Place = Pick<Program, 'limits'> & { readonly collector: IssueCollector }

/** Notes declarations of arguments and of the result that no value can be: bounds that exclude each other, an enum that fits in no part. */
export function checkDeclarations(
  { inputs = [], output, limits }: Program,
  collector: IssueCollector,
): void {
  const place = { limits, collector }
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

function fits(value: unknown, declaration: ValueDeclaration, { limits }: Place): boolean {
  const place = {
    limits,
    check: (given: unknown) => given,
    error: (label: string) => errorOf(label, { code: 'bad_program', message: '', hint: '' }),
  }
  const { enum: _, ...rest } = declaration
  try {
    checkDeclared(value, rest, { label: '', place })
    return true
  } catch (error) {
    if (ComputeError.is(error)) return false
    throw error
  }
}
