import { isPlainObject } from './plain-object.ts'

const typeNames: ReadonlySet<unknown> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
])

/** Keywords that hold one subschema, a list of them, or a map of them. */
const subschemaKeywords: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  items: 'one',
  additionalProperties: 'one',
  contains: 'one',
  propertyNames: 'one',
  not: 'one',
  if: 'one',
  then: 'one',
  else: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  properties: 'map',
  dependentSchemas: 'map',
  $defs: 'map',
  definitions: 'map',
}

/** How a keyword holds subschemas, or `undefined` when it holds none. */
export function subschemaShape(keyword: string): 'one' | 'list' | 'map' | undefined {
  return Object.hasOwn(subschemaKeywords, keyword) ? subschemaKeywords[keyword] : undefined
}

/** Keywords that describe and check nothing. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  '$comment',
  '$schema',
])

/** Formats whose check takes time in proportion to the text. The interpreter knows more; some of them run for hours. */
export const checkedFormats: ReadonlySet<unknown> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
])

/** Keywords with plain values, and what the value must be. */
export const valueRules: Readonly<
  Record<string, readonly [test: (value: unknown) => boolean, rule: string]>
> = {
  type: [isType, 'a JSON type or a list of them'],
  enum: [(value) => Array.isArray(value) && value.length > 0, 'a list with at least one value'],
  required: [isTextList, 'a list of property names'],
  minimum: [isNumber, 'a number'],
  maximum: [isNumber, 'a number'],
  exclusiveMinimum: [isNumber, 'a number'],
  exclusiveMaximum: [isNumber, 'a number'],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, 'a number above 0'],
  minLength: [isCount, 'a whole number of 0 or more'],
  maxLength: [isCount, 'a whole number of 0 or more'],
  minItems: [isCount, 'a whole number of 0 or more'],
  maxItems: [isCount, 'a whole number of 0 or more'],
  minProperties: [isCount, 'a whole number of 0 or more'],
  maxProperties: [isCount, 'a whole number of 0 or more'],
  minContains: [isCount, 'a whole number of 0 or more'],
  maxContains: [isCount, 'a whole number of 0 or more'],
  uniqueItems: [(value) => typeof value === 'boolean', 'true or false'],
  dependentRequired: [isMapOfTextLists, 'an object of lists of property names'],
  examples: [Array.isArray, 'a list'],
  title: [isText, 'text'],
  description: [isText, 'text'],
  $comment: [isText, 'text'],
  $schema: [isText, 'text'],
}

/** Tells whether a keyword means something here. One that does not would be ignored without a word. */
export function isKnownKeyword(keyword: string): boolean {
  return (
    subschemaShape(keyword) !== undefined ||
    annotationKeywords.has(keyword) ||
    Object.hasOwn(valueRules, keyword) ||
    keyword === '$ref' ||
    keyword === 'const' ||
    keyword === 'format'
  )
}

/** Keywords that are refused, and why. */
export const refusedKeywords: Readonly<Record<string, string>> = {
  pattern: 'a regular expression can be made to run for hours; use enum, minLength and maxLength',
  patternProperties: 'a regular expression can be made to run for hours; list the properties',
  $id: 'references must stay inside the schema',
  $anchor: 'use #/$defs/name',
  $dynamicRef: 'use $ref',
  $dynamicAnchor: 'use $ref',
  $recursiveRef: 'use $ref',
  $recursiveAnchor: 'use $ref',
  dependencies: 'use dependentRequired or dependentSchemas',
  additionalItems: 'use prefixItems and items',
}

/** Tells whether an object with this key may be a JSON Schema: extensions and keywords that are refused to strangers count. */
export function isSchemaKeyword(keyword: string): boolean {
  return (
    isKnownKeyword(keyword) || Object.hasOwn(refusedKeywords, keyword) || keyword.startsWith('x-')
  )
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isMapOfTextLists(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every(isTextList)
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isType(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && value.every((name) => typeNames.has(name))
    : typeNames.has(value)
}
