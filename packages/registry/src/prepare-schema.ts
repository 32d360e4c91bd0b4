import { annotationKeywords, checkedFormats, subschemaShape } from './json-schema-keywords.ts'
import { isPlainObject } from './plain-object.ts'

/** Is told what each step of a validation costs, and may throw to end it. */
export type CostListener = (cost: number) => void

/** Characters of a subschema that are looked through in about the time of one step. */
const charactersPerStep = 64

/**
 * A private copy of a schema for the interpreter: it reports the cost of each subschema whenever a value is held
 * against it, has no format whose check can run away, and compares unique items only where their number is in bounds.
 */
export function prepareSchema(given: unknown, spend: CostListener): unknown {
  if (!isPlainObject(given)) return structuredClone(given)
  const prepared: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(given)) {
    // The interpreter keeps notes of its own under such names, and would take these for them.
    if (keyword.startsWith('__')) continue
    if (keyword === 'format' && !checkedFormats.has(value)) continue
    prepared[keyword] = prepareKeyword(keyword, value, spend)
  }
  boundUniqueItems(prepared)
  reportCost(prepared, costOf(given), spend)
  return prepared
}

function prepareKeyword(keyword: string, value: unknown, spend: CostListener): unknown {
  const shape = subschemaShape(keyword)
  // A list in place of one subschema is how older drafts describe the items of a tuple.
  if (Array.isArray(value) && (shape === 'one' || shape === 'list'))
    return value.map((entry) => prepareSchema(entry, spend))
  if (shape === 'one') return prepareSchema(value, spend)
  if (shape !== 'map' || !isPlainObject(value)) return structuredClone(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, prepareSchema(entry, spend)]),
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

// The interpreter has no hook, but it reads every keyword it knows, this one included, each time it holds a value
// against a subschema.
function reportCost(prepared: Record<string, unknown>, cost: number, spend: CostListener): void {
  if (Object.hasOwn(prepared, '$recursiveAnchor')) return
  Object.defineProperty(prepared, '$recursiveAnchor', {
    get: () => {
      spend(cost)
      return undefined
    },
  })
}
