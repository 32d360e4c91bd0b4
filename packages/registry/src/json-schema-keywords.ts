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
export const subschemaKeywords: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
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
}

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
  description: [(value) => typeof value === 'string', 'text'],
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

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isType(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && value.every((name) => typeNames.has(name))
    : typeNames.has(value)
}
