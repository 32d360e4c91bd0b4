/** The types a value can be declared to have, each with the fields its declaration may have beside `description`. */
export const declarationShapes: Readonly<Record<string, readonly string[]>> = {
  number: ['min', 'max', 'enum'],
  integer: ['min', 'max', 'enum'],
  string: ['enum', 'format', 'maxLength'],
  boolean: ['enum'],
  array: ['maxItems', 'items'],
  object: ['fields'],
  any: ['enum'],
}

/** What the fields of a declaration are, for people and models. */
export const declarationDescriptions: Readonly<Record<string, string>> = {
  description: 'What the value means, with its unit.',
  min: 'Smallest number.',
  max: 'Largest number.',
  enum: 'The only values allowed.',
  format: 'date: YYYY-MM-DD.',
  maxLength: 'Most UTF-16 units.',
  maxItems: 'Most items.',
  items: 'What each item must be.',
  fields: 'What fields must be there, by name. Others are allowed.',
  default: 'Used when the argument is not passed; null allows null, too.',
}

/** What the fields of a program are, for people and models. */
export const programDescriptions: Readonly<Record<string, string>> = {
  description: 'What the program works out.',
  inputs: 'The arguments by name. Without it every name that is read before it is assigned is one.',
  output: 'What the program gives.',
  tables: 'Constant objects and arrays by name.',
  numbers: 'decimal calculates exactly, as money needs. Default float.',
  rounding: 'How ties are rounded. Default half_up, away from zero.',
  steps: 'Run in order until one returns. Every way through ends in a return.',
}

/** The fields of a program that hold one of two words; the first is what holds without the field. */
export const programChoices: Readonly<Record<'numbers' | 'rounding', readonly [string, string]>> = {
  numbers: ['float', 'decimal'],
  rounding: ['half_up', 'half_even'],
}
