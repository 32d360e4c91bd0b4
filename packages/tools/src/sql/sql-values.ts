import { readArray } from './sql-arrays.ts'

/** Makes the JSON value of a column from the text that the server sent. */
export type ValueReader = (text: string) => unknown

const asText: ValueReader = (text) => text

/** The reader for a type, by the number under which Postgres knows it; types that are not known here stay text. */
export function findValueReader(type: number): ValueReader {
  return readers.get(type) ?? asText
}

/** Tells whether a parameter of this type is written as JSON. */
export function isJsonType(type: number): boolean {
  return type === types.json || type === types.jsonb
}

/** The numbers are fixed: they belong to Postgres's protocol. */
const types = { json: 114, jsonb: 3802 }

const readWhole: ValueReader = (text) => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** JSON has no NaN and no infinities; they stay text. */
const readFloat: ValueReader = (text) => {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

const timestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/
const zonedTimestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/

/** Years beyond four digits, BC and infinity have no common ISO form; they stay as Postgres writes them. */
const readTimestamp: ValueReader = (text) => text.replace(timestamp, '$1T$2')

const readZonedTimestamp: ValueReader = (text) => {
  const [, day, time, hours, minutes = ':00'] = zonedTimestamp.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time}${hours === '+00' && minutes === ':00' ? 'Z' : `${hours}${minutes}`}`
}

/** Numbers with so many digits, or with such an exponent, may be ones that JavaScript cannot hold. */
const riskyNumber = /[\d.]{16}|[eE][+-]?\d{2}/

/** Deeper values cannot be written as JSON again everywhere; they stay text. */
const maxJsonDepth = 100

const readJson: ValueReader = (text) => {
  if (text.length > maxJsonDepth && nestsDeeper(text, maxJsonDepth)) return text
  try {
    return riskyNumber.test(text) ? JSON.parse(text, keepExactNumbers) : JSON.parse(text)
  } catch {
    return text
  }
}

/** Key, value, and where it came from in the document. */
type ReviverArguments = [key: string, value: unknown, context?: { readonly source?: string }]

/** A number that JavaScript would change becomes the text that stood in the document. */
function keepExactNumbers(...[, value, context]: ReviverArguments): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return isKept(value, context.source) ? value : context.source
}

/** Whether JavaScript writes the number with the digits that stood there, be it in another form. */
function isKept(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false
  return Number.isFinite(value) && decimalOf(source) === decimalOf(String(value))
}

/** One form for all ways to write a number; without the sign, which is never lost. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position]
    if (inString) {
      if (character === '\\') position += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > limit) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

const readBoolean: ValueReader = (text) => text === 't'

/** Reader, number of the type, number of its array type. Array types of text need naming too. */
const known: readonly (readonly [ValueReader, number, number])[] = [
  [readBoolean, 16, 1000],
  [asText, 17, 1001], // bytea: hexadecimal, `\x…`
  [asText, 18, 1002], // "char"
  [asText, 19, 1003], // name
  [readWhole, 20, 1016], // int8
  [readWhole, 21, 1005], // int2
  [readWhole, 23, 1007], // int4
  [asText, 25, 1009], // text
  [readWhole, 26, 1028], // oid
  [readJson, types.json, 199],
  [readFloat, 700, 1021], // float4
  [readFloat, 701, 1022], // float8
  [asText, 650, 651], // cidr
  [asText, 790, 791], // money
  [asText, 829, 1040], // macaddr
  [asText, 869, 1041], // inet
  [asText, 1042, 1014], // bpchar
  [asText, 1043, 1015], // varchar
  [asText, 1082, 1182], // date
  [asText, 1083, 1183], // time
  [readTimestamp, 1114, 1115],
  [readZonedTimestamp, 1184, 1185],
  [asText, 1186, 1187], // interval
  [asText, 1266, 1270], // timetz
  [asText, 1700, 1231], // numeric
  [asText, 2950, 2951], // uuid
  [readJson, types.jsonb, 3807],
  [asText, 3904, 3905], // int4range
  [asText, 3906, 3907], // numrange
  [asText, 3908, 3909], // tsrange
  [asText, 3910, 3911], // tstzrange
  [asText, 3912, 3913], // daterange
  [asText, 3926, 3927], // int8range
]

const readers = new Map<number, ValueReader>(
  known.flatMap(([read, type, arrayType]) => [
    [type, read] as const,
    [arrayType, (text: string) => readArray(text, read)] as const,
  ]),
)
