import { anyType, valueTypes } from './value-type.ts'

/**
 * Every function with its forms, `result:parameters`. n number, s string, b boolean, a array, x any value,
 * z string, array or object, m number or string, l number, boolean or string; `?` makes what follows optional, `+` repeats the last.
 */
const forms = {
  abs: 'n:n',
  floor: 'n:n',
  ceil: 'n:n',
  trunc: 'n:n',
  sign: 'n:n',
  sqrt: 'n:n',
  pow: 'n:nn',
  round: 'n:n?ns',
  min: 'n:a n:n+',
  max: 'n:a n:n+',
  sum: 'n:a n:n+',
  avg: 'n:a n:n+',
  size: 'n:z',
  count: 'n:a',
  contains: 'b:ss',
  startsWith: 'b:ss',
  endsWith: 'b:ss',
  lower: 's:s',
  upper: 's:s',
  trim: 's:s',
  substring: 's:sn?n',
  replace: 's:sss',
  split: 'a:ss',
  join: 's:a?s',
  indexOf: 'n:ss?n',
  string: 's:l',
  number: 'n:m',
  sort: 'a:a?s',
  reverse: 'a:a',
  distinct: 'a:a',
  slice: 'a:an?n',
  date: 's:s s:nnn',
  addDays: 's:sn',
  addMonths: 's:sn',
  daysBetween: 'n:ss',
  year: 'n:s',
  month: 'n:s',
  day: 'n:s',
  weekday: 'n:s',
  fixed: 's:n?n',
  money: 's:n?sn',
  percent: 's:n?n',
  thousands: 's:n?s',
  pad: 's:mn?ss',
} as const

/** A function of the language. */
export type FunctionName = keyof typeof forms

/** A macro: its body runs once for each item of an array. */
export type MacroName = 'map' | 'filter' | 'all' | 'exists' | 'exists_one'

/** One way to call a function. Masks are those of `valueTypes`. */
export interface FunctionForm {
  readonly result: number
  readonly parameters: readonly number[]
  /** How many arguments it takes at least; at most as many as `parameters`, or any number where the last repeats. */
  readonly fewest: number
  readonly repeats: boolean
}

const { number, string, boolean, array, object } = valueTypes
const masks: Readonly<Record<string, number>> = {
  n: number,
  s: string,
  b: boolean,
  a: array,
  x: anyType,
  z: string | array | object,
  m: number | string,
  l: number | boolean | string,
}

function readForm(text: string): FunctionForm {
  const letters = text.slice(2).replace(/[?+]/g, '')
  const optional = text.indexOf('?') - 2
  return {
    result: masks[text.charAt(0)] ?? 0,
    parameters: Array.from(letters, (letter) => masks[letter] ?? 0),
    fewest: optional < 0 ? letters.length : optional,
    repeats: text.endsWith('+'),
  }
}

/** The forms of every function. A map, so that no inherited name is found. */
export const functionForms: ReadonlyMap<string, readonly FunctionForm[]> = new Map(
  Object.entries(forms).map(([name, text]) => [name, text.split(' ').map(readForm)]),
)

/** The macros, and `has`, which takes a path. */
export const macroNames: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'all',
  'exists',
  'exists_one',
])

/** Whether a form can take so many arguments. */
export function takesCount({ fewest, parameters, repeats }: FunctionForm, count: number): boolean {
  return count >= fewest && (repeats || count <= parameters.length)
}
