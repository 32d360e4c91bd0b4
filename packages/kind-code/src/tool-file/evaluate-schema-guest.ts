/**
 * A module of the guest: `describeSchema(value, isStrict)` gives `{ schema, problems }` for a zod schema or a JSON Schema.
 *
 * Strict: nothing but the JSON Schema will ever check a value, so a problem is reported for each rule that it cannot say. Else the
 * zod schema checks the value again, so the JSON Schema must only refuse nothing that the zod schema takes.
 */
export const schemaModule: string = String.raw`
import { regexes, toJSONSchema } from 'zod'

const noJson = {
  bigint: 'JSON has no big integers. Use z.int(), or z.string() and BigInt() in the body',
  date: 'JSON has no dates. Use z.iso.datetime() or z.iso.date(), and new Date() in the body',
  file: 'JSON has no files. Take a path',
  function: 'JSON has no functions',
  map: 'JSON has no maps. Use z.record()',
  nan: 'JSON has no NaN. Use z.number()',
  promise: 'JSON has no promises',
  set: 'JSON has no sets. Use z.array()',
  symbol: 'JSON has no symbols. Use z.enum()',
  undefined: 'JSON has no undefined. Use .optional()',
  void: 'JSON has no undefined. Use .optional()',
}
const asCode = {
  catch: '.catch() cannot be said in JSON Schema. Use .default(), or handle it in the body',
  custom: 'z.custom() and z.instanceof() are code, which JSON Schema cannot say. Check it in the body and throw',
  pipe: 'transform, preprocess, pipe and codecs are code, which JSON Schema cannot say. Do it in the body',
  success: 'z.success() cannot be said in JSON Schema. Use z.boolean()',
  template_literal: 'z.templateLiteral() cannot be said in JSON Schema. Use z.string(), and check it in the body',
  transform: 'a transform is code, which JSON Schema cannot say. Do it in the body',
}
const sayableChecks = new Set([
  'min_length', 'max_length', 'length_equals', 'greater_than', 'less_than', 'multiple_of', 'number_format', 'string_format',
])
const codeChecks = {
  custom: 'refine, superRefine and check are code, which JSON Schema cannot say. Check it in the body and throw',
  overwrite: '.trim(), .toLowerCase() and the like change the value, which JSON Schema cannot say. Do it in the body',
}
const sayableFormats = new Set([
  'email', 'url', 'uuid', 'guid', 'datetime', 'date', 'duration', 'ipv4', 'ipv6', 'hostname',
])
const checkedFormats = new Set([
  'date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid',
])
const coerced = {
  bigint: ['string', 'integer', 'boolean'],
  boolean: undefined,
  date: ['string', 'number'],
  number: ['number', 'string', 'boolean', 'null'],
  string: undefined,
}

const placeOf = (path) => {
  let place = ''
  for (let index = 0; index < path.length; index += 1) {
    const part = path[index]
    if (part === 'properties') place += (place === '' ? '' : '.') + path[(index += 1)]
    else if (part === 'items') place += '[]'
    else if (part === 'prefixItems') place += '[' + path[(index += 1)] + ']'
    else if (part === 'additionalProperties') place += '[any key]'
    else if (part === 'propertyNames') place += ' (its keys)'
    else if (part === 'anyOf' || part === 'oneOf') place += ' (choice ' + (Number(path[(index += 1)]) + 1) + ')'
    else if (part === 'allOf') index += 1
  }
  return place === '' ? 'the schema itself' : place.trim()
}

const formatProblem = (format, { hostname, local, pattern, precision, protocol, version }) => {
  const name = String(format)
  if (name === 'regex') return 'a regular expression is not accepted. Use z.enum(), .min() and .max(), or check it in the body'
  if (name === 'time') return 'z.iso.time() cannot be said in JSON Schema. Use z.string(), and check it in the body'
  if (!sayableFormats.has(name)) return 'the text rule "' + name + '" cannot be said in JSON Schema. Use z.string(), and check it in the body'
  if (name === 'url' && (hostname !== undefined || protocol !== undefined))
    return 'rules for parts of an address cannot be said in JSON Schema. Use z.url(), and check it in the body'
  if (name === 'datetime' && (local || typeof precision === 'number'))
    return 'local and precision cannot be said in JSON Schema. Use z.iso.datetime({ offset: true })'
  if (name === 'uuid' && version !== undefined)
    return 'the version of a UUID cannot be said in JSON Schema. Use z.uuid()'
  if (name === 'email' && pattern !== undefined && String(pattern) !== String(regexes.email))
    return 'a pattern of your own cannot be said in JSON Schema. Use z.email()'
  return undefined
}

const own = (record, key) => (Object.hasOwn(record, key) ? record[key] : undefined)

const isZod = (value) =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && typeof value._zod?.def === 'object'

const clear = (schema) => {
  for (const key of Object.keys(schema)) if (key !== 'description' && key !== 'title') delete schema[key]
}

const note = (schema, value) => {
  const text = JSON.stringify(value)
  if (text === undefined || text.length > 100) return
  const said = 'Default: ' + text
  schema.description = schema.description === undefined ? said : schema.description + ' ' + said
}

function adapt(isStrict, report) {
  return ({ zodSchema, jsonSchema, path }) => {
    const def = zodSchema._zod.def
    const problem = (text) => report(placeOf(path), text)
    const isConverted = def.coerce === true
    const impossible = own(noJson, def.type)
    if (impossible !== undefined && (isStrict || !isConverted)) problem(impossible)
    if (def.type === 'literal' && def.values.some((value) => value === undefined || typeof value === 'bigint'))
      problem('JSON has neither undefined nor big integers, so they are no literals')
    if (isStrict && isConverted && impossible === undefined)
      problem('z.coerce changes the value, which JSON Schema cannot say. Use z.' + def.type + '(), and convert it in the body')
    if (isStrict) {
      const code = own(asCode, def.type)
      if (code !== undefined) problem(code)
      const format = def.type === 'string' && def.format !== undefined ? formatProblem(def.format, def) : undefined
      if (format !== undefined) problem(format)
      for (const check of def.checks ?? []) {
        const rule = check._zod.def
        if (check !== zodSchema && rule.check === 'string_format') {
          const wrong = formatProblem(rule.format, rule)
          if (wrong !== undefined) problem(wrong)
        } else if (!sayableChecks.has(rule.check))
          problem(own(codeChecks, rule.check) ?? 'the check "' + rule.check + '" cannot be said in JSON Schema. Do it in the body')
      }
      if (jsonSchema.default !== undefined && (path.length === 0 || path.some((part, index) => index % 2 === 0 && part !== 'properties')))
        problem('a default is filled in only for a field of an object, not inside a list or a choice. Leave it out')
      if (def.type === 'object' && def.catchall === undefined && !path.includes('allOf'))
        jsonSchema.additionalProperties = false
    } else {
      if (isConverted) {
        const type = own(coerced, def.type)
        if (type === undefined) clear(jsonSchema)
        else jsonSchema.type = type
      }
      if (def.type === 'pipe' && def.in._zod.def.type === 'transform') clear(jsonSchema)
      if (Object.hasOwn(jsonSchema, 'default')) {
        if (def.type === 'default' || def.type === 'prefault') note(jsonSchema, jsonSchema.default)
        delete jsonSchema.default
      }
      delete jsonSchema.contentEncoding
    }
    delete jsonSchema.pattern
    delete jsonSchema.id
    if (Object.hasOwn(jsonSchema, 'format') && !checkedFormats.has(jsonSchema.format)) delete jsonSchema.format
  }
}

export function describeSchema(value, isStrict) {
  const problems = []
  const report = (place, problem) => {
    const line = place + ': ' + problem + '.'
    if (!problems.includes(line) && problems.length < 20) problems.push(line)
  }
  if (!isZod(value)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      report('the schema itself', 'must be a zod schema such as z.object({ text: z.string() }), or a JSON Schema')
    else if (Object.values(value).some(isZod))
      report('the schema itself', 'is an object of schemas; put it into z.object( … )')
    return { schema: value, problems }
  }
  try {
    const { $schema, '~standard': standard, ...schema } = toJSONSchema(value, {
      io: 'input',
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
      cycles: 'throw',
      override: adapt(isStrict, report),
    })
    return { schema, problems: problems.reverse() }
  } catch (error) {
    if (!String(error?.message).startsWith('Cycle detected')) throw error
    report('the schema itself', 'refers to itself, which is not accepted. Say how deep it goes, or use z.any() (also in place of z.json())')
    return { schema: {}, problems }
  }
}
`
