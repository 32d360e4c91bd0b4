/** What one operation does and what each of its fields is, for people and models. */
export interface StepDescription {
  readonly summary: string
  readonly fields: Readonly<Record<string, string>>
}

const output = 'Variable that receives the result.'
const elseSteps = 'Steps that run otherwise.'

/** By operation, with every field that `stepFields` names. */
export const stepDescriptions: Readonly<Record<string, StepDescription>> = {
  math: {
    summary: 'Works out a number.',
    fields: { expression: 'Expression that gives a number: weight_kg * 2.5 + 5', output },
  },
  set: {
    summary: 'Works out any value.',
    fields: { value: 'Expression: items.map(i, i.price * i.quantity)', output },
  },
  lookup: {
    summary: 'Takes one field of an object or one item of an array.',
    fields: {
      table: 'Name of the variable or the table.',
      key: 'The key itself, not a variable; for an array its index in digits.',
      keyFrom: 'Expression that gives the key: country',
      default: 'Value used when there is no such key; without it that is an error.',
      output,
    },
  },
  format: {
    summary: 'Makes a string.',
    fields: { template: 'Text with placeholders: Total: {{total | money}}', output },
  },
  condition: {
    summary: 'Runs one of two lists of steps.',
    fields: {
      if: 'Boolean expression: total > 100 && status == "paid"',
      then: 'Steps that run when it is true.',
      else: elseSteps,
    },
  },
  switch: {
    summary: 'Runs the steps of the first case that is true.',
    fields: { cases: 'Tried from first to last.', else: elseSteps },
  },
  fold: {
    summary: 'Goes through an array and carries a value along.',
    fields: {
      list: 'Expression that gives the array.',
      as: 'Name of the item inside value.',
      acc: 'Name of the carried value inside value.',
      init: 'Expression: the first carried value.',
      value: 'Expression: the next carried value: acc * (1 + rate)',
      output,
    },
  },
  sort: {
    summary: 'Puts an array in order; equal items keep theirs.',
    fields: {
      list: 'Expression that gives the array.',
      as: 'Name of the item inside by.',
      by: 'Expression that gives a number or a string for each item: item.price',
      desc: 'Largest first.',
      output,
    },
  },
  check: {
    summary: 'Ends the program with an error unless something holds.',
    fields: {
      that: 'Boolean expression that must be true: weight_kg > 0',
      message: 'Text with placeholders that the caller is told otherwise.',
    },
  },
  return: {
    summary: 'Ends the program with a value, or with an object of several.',
    fields: {
      value: 'Expression: total',
      fields: 'Expressions by field name: { "total": "net + tax" }',
    },
  },
}

/** The fields of which a step has exactly one. */
export const eitherFields: Readonly<Record<string, readonly [string, string]>> = {
  lookup: ['key', 'keyFrom'],
  return: ['value', 'fields'],
}

/** What the two fields of a case of `switch` are. */
export const caseDescriptions: StepDescription = {
  summary: 'One way through a switch.',
  fields: { when: 'Boolean expression: total > 100', then: 'Steps that run when it is true.' },
}
