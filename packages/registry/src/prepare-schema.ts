import { annotationKeywords, checkedFormats, subschemaShape } from './json-schema-keywords.ts'
import { isPlainObject } from './plain-object.ts'

/** Is told what each step of a validation costs, and may throw to end it. */
export type CostListener = (cost: number) => void

/** Characters of a subschema that are looked through in about the time of one step. */
const charactersPerStep = 64

/** Name of the note that says what one use of a subschema costs. The interpreter takes no notice of it. */
const costNote = '__cost'

/**
 * A private copy of a schema for the interpreter: it reports the cost of each subschema whenever a value is held
 * against it, has no format whose check can run away, and compares unique items only where their number is in bounds.
 */
export function prepareSchema(schema: unknown, spend: CostListener): unknown {
  // The interpreter has no hook, but it reads every keyword it knows, this one included, each time it holds a value
  // against a subschema. One getter for all of them keeps that fast.
  const meter: object = Object.defineProperty({}, '$recursiveAnchor', {
    get(this: { readonly [costNote]: number }) {
      spend(this[costNote])
    },
  })
  return prepare(schema, meter)
}

function prepare(given: unknown, meter: object): unknown {
  if (!isPlainObject(given)) return structuredClone(given)
  const prepared = Object.create(meter) as Record<string, unknown>
  prepared[costNote] = costOf(given)
  for (const [keyword, value] of Object.entries(given)) {
    // The interpreter keeps notes of its own under such names, and would take these for them.
    if (keyword.startsWith('__') || keyword === '$recursiveAnchor') continue
    if (keyword === 'format' && !checkedFormats.has(value)) continue
    prepared[keyword] = prepareKeyword(keyword, value, meter)
  }
  boundUniqueItems(prepared)
  return prepared
}

function prepareKeyword(keyword: string, value: unknown, meter: object): unknown {
  const shape = subschemaShape(keyword)
  // A list in place of one subschema is how older drafts describe the items of a tuple.
  if (Array.isArray(value) && (shape === 'one' || shape === 'list'))
    return value.map((entry) => prepare(entry, meter))
  if (shape === 'one') return prepare(value, meter)
  if (shape !== 'map' || !isPlainObject(value)) return structuredClone(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, prepare(entry, meter)]),
  )
}

// The interpreter compares every pair also where `maxItems` has already failed, which costs the square of any length.
function boundUniqueItems(prepared: Record<string, unknown>): void {
  const { uniqueItems, maxItems, allOf = [] } = prepared
  if (uniqueItems !== true || typeof maxItems !== 'number' || !Array.isArray(allOf)) return
  delete prepared['uniqueItems']
  prepared['allOf'] = [...allOf, { if: { maxItems }, then: { uniqueItems } }]
}

function costOf(schema: Record<string, unknown>): number {
  const own = Object.entries(schema).map(([keyword, value]) => {
    const shape = subschemaShape(keyword)
    if (annotationKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions')
      return keyword
    if (shape === 'map' && isPlainObject(value)) return Object.keys(value)
    if (shape === 'list' && Array.isArray(value)) return value.map(() => true)
    return shape === undefined ? [keyword, value] : keyword
  })
  return 1 + Math.floor(JSON.stringify(own).length / charactersPerStep)
}
