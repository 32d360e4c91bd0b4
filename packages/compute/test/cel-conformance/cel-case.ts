import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import type { CelType } from './cel-type.ts'

/** One case of the conformance suite, in terms of JSON. */
export interface CelCase {
  /** `section/group/name`, with `#2` and so on where the suite uses a name twice. */
  readonly id: string
  readonly section: string
  readonly expression: string
  readonly bindings: ReadonlyMap<string, CelValue>
  /** What the suite wants; `undefined` means an error, `no value` that only the type is checked. */
  readonly wanted: CelValue | undefined | 'no value'
}

/** A value of the suite: as JSON, its CEL type, and what JSON cannot hold of it. */
export interface CelValue {
  readonly json: unknown
  readonly type: CelType
  readonly lost?: 'bytes' | 'infinity' | 'map_keys' | 'messages' | 'type_values'
  /** The digits of a whole number beyond 2^53. */
  readonly exact?: string
}

type SuiteNode = typeof tests
type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const wholeNumber = (type: 'int' | 'uint', text: unknown): CelValue => {
  const exact = BigInt(textOf(text))
  return { json: Number(exact), type, ...exactly(exact) }
}

const exactly = (value: bigint): Pick<CelValue, 'exact'> =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? { exact: String(value) } : {}

const double = (value: unknown): CelValue =>
  typeof value === 'number'
    ? {
        json: value === 0 ? 0 : value,
        type: 'double',
        ...(Number.isInteger(value) && Math.abs(value) < 1e21 ? exactly(BigInt(value)) : {}),
      }
    : { json: null, type: 'double', lost: 'infinity' }

/** Of the messages only the wrappers and JSON's own types are plain data. */
function readMessage(message: Fields): CelValue {
  const type = textOf(message['@type']).split('/').at(-1) ?? ''
  if (!/^google\.protobuf\.(Struct|\w*Value)$/.test(type) || type.endsWith('BytesValue'))
    return { json: null, type: 'unknown', lost: 'messages' }
  if (type.endsWith('.Struct')) {
    const { '@type': _, ...fields } = message
    return { json: 'value' in fields ? fields['value'] : fields, type: 'map' }
  }
  const json = message['value']
  const isWhole = /\.U?Int/.test(type)
  return { json: isWhole ? Number(json) : json, type: 'unknown' }
}

function readMap(entries: readonly unknown[]): CelValue {
  const read = entries.map((entry) => {
    const { key, value } = fieldsOf(entry)
    return [readValue(key), readValue(value)] as const
  })
  const lost = read.map(([, value]) => value.lost).find((reason) => reason !== undefined)
  if (read.some(([key]) => typeof key.json !== 'string'))
    return { json: null, type: 'map', lost: 'map_keys' }
  const json = Object.fromEntries(read.map(([key, value]) => [String(key.json), value.json]))
  return { json, type: 'map', ...(lost === undefined ? {} : { lost }) }
}

function readList(items: readonly unknown[]): CelValue {
  const read = items.map(readValue)
  const types = new Set(read.map(({ type }) => type))
  const [only = 'unknown'] = types
  const lost = read.map((item) => item.lost).find((reason) => reason !== undefined)
  return {
    json: read.map(({ json }) => json),
    type: { list: types.size === 1 ? only : 'unknown' },
    ...(lost === undefined ? {} : { lost }),
  }
}

/** Reads a value as the suite writes it: `{ int64Value: "1" }`. */
function readValue(value: unknown): CelValue {
  const [kind, content] = Object.entries(fieldsOf(value))[0] ?? []
  switch (kind) {
    case 'int64Value':
      return wholeNumber('int', content)
    case 'uint64Value':
      return wholeNumber('uint', content)
    case 'doubleValue':
      return double(content)
    case 'stringValue':
      return { json: content, type: 'string' }
    case 'boolValue':
      return { json: content, type: 'bool' }
    case 'nullValue':
      return { json: null, type: 'null' }
    case 'listValue':
      return readList(listOf(fieldsOf(content)['values']))
    case 'mapValue':
      return readMap(listOf(fieldsOf(content)['entries']))
    case 'objectValue':
      return readMessage(fieldsOf(content))
    case 'bytesValue':
      return { json: null, type: 'bytes', lost: 'bytes' }
    case 'typeValue':
      return { json: null, type: 'type', lost: 'type_values' }
    default:
      return { json: null, type: 'unknown', lost: 'messages' }
  }
}

function wantedOf(original: Fields): CelCase['wanted'] {
  if ('evalError' in original || 'anyEvalErrors' in original) return undefined
  if ('value' in original) return readValue(original['value'])
  if ('typedResult' in original) {
    const { result } = fieldsOf(original['typedResult'])
    return result === undefined ? 'no value' : readValue(result)
  }
  return original['checkOnly'] === true ? 'no value' : { json: true, type: 'bool' }
}

function readCases(suite: SuiteNode, path: readonly string[]): CelCase[] {
  const own = (suite.tests ?? []).map(({ original }) => {
    const bindings = Object.entries(fieldsOf(original['bindings'])).map(
      ([name, binding]) => [name, readValue(fieldsOf(binding)['value'])] as const,
    )
    return {
      id: [...path, original.name].join('/'),
      section: path[0] ?? '',
      expression: original.expr,
      bindings: new Map(bindings),
      wanted: wantedOf(original),
    }
  })
  return [
    ...own,
    ...(suite.suites ?? []).flatMap((child) => readCases(child, [...path, child.name])),
  ]
}

/** Every case of the suite, each with an id of its own. */
export function readCelCases(): readonly CelCase[] {
  const times = new Map<string, number>()
  return readCases(tests, []).map((celCase) => {
    const count = (times.get(celCase.id) ?? 0) + 1
    times.set(celCase.id, count)
    return count === 1 ? celCase : { ...celCase, id: `${celCase.id}#${count}` }
  })
}
