import { type FieldKind, stepFields } from '../read/step-fields.ts'

/** What a field of the flat form holds. Every field is there; where it may be empty, empty means none. */
export interface FlatField {
  readonly name: string
  readonly kind: FieldKind
  readonly mayBeEmpty: boolean
}

/** The fields of each operation in the flat form beside `id`, `in` and `op`. Steps inside steps are no field here. */
export const flatStepFields: ReadonlyMap<string, readonly FlatField[]> = new Map(
  [...stepFields].map(([op, fields]) => [
    op,
    fields
      .filter(({ kind }) => kind !== 'steps')
      .map(({ name, kind, optional }) => ({ name, kind, mayBeEmpty: optional })),
  ]),
)

/** The lists of steps that a step of the flat form has, by the word that stands for them in `in`. */
export function listsOf(
  op: string,
  caseCount: number,
): readonly { readonly word: string; readonly path: string }[] {
  const fields = stepFields.get(op) ?? []
  return fields.flatMap(({ name, kind }) => {
    if (kind === 'steps') return [{ word: name, path: name }]
    if (kind !== 'cases') return []
    return Array.from({ length: caseCount }, (_, index) => ({
      word: `${name}[${index}]`,
      path: `${name}[${index}].then`,
    }))
  })
}
