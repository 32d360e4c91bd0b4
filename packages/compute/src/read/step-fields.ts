/** What a field of a step holds. */
export type FieldKind =
  | 'expression'
  | 'name'
  | 'template'
  | 'string'
  | 'boolean'
  | 'value'
  | 'steps'
  | 'cases'
  | 'fields'

/** A field of a step. Of several with the same `choice` a step has one. */
export interface StepField {
  readonly name: string
  readonly kind: FieldKind
  readonly optional: boolean
}

function fieldsOf(text: string): readonly StepField[] {
  return text.split(' ').map((field) => {
    const [name = '', kind = ''] = field.split(':')
    const optional = name.endsWith('?')
    return { name: optional ? name.slice(0, -1) : name, kind: kind as FieldKind, optional }
  })
}

/** The fields of each operation beside `op`, in reading order. */
export const stepFields: ReadonlyMap<string, readonly StepField[]> = new Map([
  ['math', fieldsOf('expression:expression output:name')],
  ['set', fieldsOf('value:expression output:name')],
  ['lookup', fieldsOf('table:name key?:string keyFrom?:expression default?:value output:name')],
  ['format', fieldsOf('template:template output:name')],
  ['condition', fieldsOf('if:expression then:steps else?:steps')],
  ['switch', fieldsOf('cases:cases else?:steps')],
  [
    'fold',
    fieldsOf('list:expression as:name acc:name init:expression value:expression output:name'),
  ],
  ['sort', fieldsOf('list:expression as?:name by?:expression desc?:boolean output:name')],
  ['check', fieldsOf('that:expression message:template')],
  ['return', fieldsOf('value?:expression fields?:fields')],
])
