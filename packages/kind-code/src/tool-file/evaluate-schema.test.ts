import { ToolError } from '@toolcrib/registry'
import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluateSchemaSource } from './evaluate-schema.ts'

const sandbox = createSandbox({ maxWorkers: 1 })

afterAll(async () => {
  await sandbox.close()
})

const evaluate = (source: string): ReturnType<typeof evaluateSchemaSource> =>
  evaluateSchemaSource(source, { sandbox })

const problemOf = async (source: string): Promise<string> => {
  const error = await evaluate(source).catch((thrown: unknown) => thrown)
  if (ToolError.is(error)) return `${error.code} ${error.message}`
  throw new Error(`It was accepted, or failed in another way: ${String(error)}`)
}

describe('what JSON Schema can say', () => {
  test.each([
    [
      'z.object({ text: z.string() })',
      {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    ],
    [
      'z.object({ n: z.number().min(1).max(9).optional(), mode: z.enum(["a", "b"]).default("a") });',
      {
        type: 'object',
        properties: {
          n: { type: 'number', minimum: 1, maximum: 9 },
          mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
        },
        additionalProperties: false,
      },
    ],
    [
      'z.looseObject({ list: z.array(z.string().min(2)).max(3).describe("Words") })',
      {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: { type: 'string', minLength: 2 },
            maxItems: 3,
            description: 'Words',
          },
        },
        required: ['list'],
        additionalProperties: {},
      },
    ],
    [
      'z.object({ e: z.email(), u: z.url(), d: z.iso.date(), t: z.iso.datetime({ offset: true }), i: z.uuid() })',
      {
        type: 'object',
        properties: {
          e: { type: 'string', format: 'email' },
          u: { type: 'string', format: 'uri' },
          d: { type: 'string', format: 'date' },
          t: { type: 'string', format: 'date-time' },
          i: { type: 'string', format: 'uuid' },
        },
        required: ['e', 'u', 'd', 't', 'i'],
        additionalProperties: false,
      },
    ],
    [
      'z.object({ r: z.record(z.string(), z.number()), u: z.union([z.string(), z.null()]) })',
      {
        type: 'object',
        properties: {
          r: {
            type: 'object',
            propertyNames: { type: 'string' },
            additionalProperties: { type: 'number' },
          },
          u: { type: ['string', 'null'] },
        },
        required: ['r', 'u'],
        additionalProperties: false,
      },
    ],
  ])('%s', async (source, schema) => {
    expect(await evaluate(source)).toEqual(schema)
  })

  test('JSON Schema is taken as text, and as an object literal', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }
    expect(await evaluate(JSON.stringify(dialect))).toEqual(schema)
    expect(await evaluate("{ type: 'object', properties: { a: { type: 'string' } } }")).toEqual(
      schema,
    )
  })

  test('objects that are joined keep the properties of both', async () => {
    const joined = 'z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))'
    const schema = await evaluate(joined)
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false')
  })

  test('a schema that was made with everything still fits what it said', async () => {
    const schema = await evaluate(
      'z.object({ a: z.tuple([z.string(), z.int()]), l: z.literal(3) })',
    )
    expect(schema).toMatchObject({
      properties: {
        a: { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
        l: { const: 3 },
      },
    })
  })
})

describe('what it cannot say is an error that names the place and what to do', () => {
  test.each([
    ['z.object({ a: z.string().refine((x) => x) })', 'a: refine'],
    [
      'z.object({ a: z.object({ b: z.array(z.string().superRefine(() => {})) }) })',
      'a.b[]: refine',
    ],
    ['z.object({ a: z.string() }).refine(() => true)', 'the schema itself: refine'],
    ['z.object({ a: z.string().check(z.refine(() => true)) })', 'a: refine'],
    ['z.object({ a: z.string().transform((x) => x.length) })', 'a: transform'],
    ['z.object({ a: z.preprocess((x) => x, z.string()) })', 'a: transform'],
    ['z.object({ a: z.string().pipe(z.string()) })', 'a: transform'],
    ['z.object({ a: z.stringbool() })', 'a: transform'],
    ['z.object({ a: z.coerce.number() })', 'a: z.coerce'],
    ['z.object({ a: z.custom((x) => x) })', 'a: z.custom()'],
    ['z.object({ a: z.instanceof(Date) })', 'a: z.custom()'],
    ['z.object({ a: z.date() })', 'a: JSON has no dates'],
    ['z.object({ a: z.bigint() })', 'a: JSON has no big integers'],
    ['z.object({ a: z.map(z.string(), z.string()) })', 'a: JSON has no maps'],
    ['z.object({ a: z.set(z.string()) })', 'a: JSON has no sets'],
    ['z.object({ a: z.undefined() })', 'a: JSON has no undefined'],
    ['z.object({ a: z.literal([1n, undefined]) })', 'a: JSON has neither'],
    ['z.object({ a: z.nan() })', 'a: JSON has no NaN'],
    ['z.object({ a: z.symbol() })', 'a: JSON has no symbols'],
    ['z.object({ a: z.file() })', 'a: JSON has no files'],
    ['z.object({ a: z.string().regex(/x/) })', 'a: a regular expression'],
    ['z.object({ a: z.string().startsWith("x") })', 'a: the text rule "starts_with"'],
    ['z.object({ a: z.nanoid() })', 'a: the text rule "nanoid"'],
    ['z.object({ a: z.string().trim() })', 'a: .trim()'],
    ['z.object({ a: z.string().toLowerCase() })', 'a: .trim()'],
    ['z.object({ a: z.iso.time() })', 'a: z.iso.time()'],
    ['z.object({ a: z.url({ protocol: /^https$/ }) })', 'a: rules for parts of an address'],
    ['z.object({ a: z.email({ pattern: /x/ }) })', 'a: a pattern of your own'],
    ['z.object({ a: z.uuidv4() })', 'a: the version of a UUID'],
    ['z.object({ a: z.string().catch("x") })', 'a: .catch()'],
    ['z.object({ a: z.templateLiteral(["a", z.number()]) })', 'a: z.templateLiteral()'],
    ['z.object({ a: z.array(z.string().default("x")) })', 'a[]: a default'],
    [
      'z.object({ a: z.union([z.string(), z.string().refine(() => true)]) })',
      'a (choice 2): refine',
    ],
    ['z.object({ a: z.tuple([z.date()]) })', 'a[0]: JSON has no dates'],
    ['z.record(z.string().regex(/x/), z.string())', '(its keys): a regular expression'],
    ['z.object({ a: z.json() })', 'refers to itself'],
    ['(() => { const n = z.object({ get n() { return n } }); return n })()', 'refers to itself'],
    ['(z.object({ a: z.date() }))', 'a: JSON has no dates'],
    ['{ a: z.string() }', 'put it into z.object('],
    ['"z.object({})"', 'a schema must be an object'],
    ['42', 'must be a zod schema'],
    ['undefined', 'must be a zod schema'],
  ])('%s', async (source, part) => {
    expect(await problemOf(source)).toContain(part)
  })

  test('all of them at once', async () => {
    const problem = await problemOf('z.object({ a: z.date(), b: z.object({ c: z.bigint() }) })')
    expect(problem).toMatch(/^SCHEMA_UNSUPPORTED .*a: JSON has no dates.*b\.c: JSON has no big/s)
  })

  test('what the registry refuses is refused here', async () => {
    expect(await problemOf('{"type":"object","properties":{"a":{"pattern":"^(a+)+$"}}}')).toContain(
      'SCHEMA_UNSUPPORTED',
    )
    expect(await problemOf('({ $ref: "file:///etc/passwd" })')).toContain('SCHEMA_UNSUPPORTED')
  })
})

describe('a source that is none', () => {
  test('has its place in the author’s own lines', async () => {
    expect(await problemOf('z.object({\n  a: z.string(),\n  b: )\n})')).toContain(
      'SCHEMA_INVALID The schema cannot be used: its source is no expression: Unexpected token, at line 3, column 6',
    )
    expect(await problemOf('z.object({\n  a: z.string(),\n  b: nope,\n})')).toContain(
      'at line 3, column 6: ReferenceError: nope is not defined',
    )
  })

  test.each(['', '   ', 'const a = 1', 'z.string(); process.exit(1)', 'import x from "y"', ';'])(
    '%j is refused',
    async (source) => {
      expect(await problemOf(source)).toContain('SCHEMA_INVALID')
    },
  )
})

describe('attacks', () => {
  test.each([
    ['process.exit(1)', 'process is not defined'],
    ['globalThis.constructor.constructor("return process")().exit()', 'SCHEMA_INVALID'],
    ['(() => { while (true) {} })()', 'SCHEMA_INVALID'],
    ['(() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)) })()', 'SCHEMA_INVALID'],
    ['z.object({ get a() { throw new Error("x") } })', 'SCHEMA_INVALID'],
    ['({ toJSON() { return { type: "object" } }, get x() { return 1 } })', ''],
    ['new Proxy({}, { get() { throw new Error("x") } })', 'SCHEMA_INVALID'],
    [`${'('.repeat(20_000)}1${')'.repeat(20_000)}`, 'SCHEMA_INVALID'],
    [`z.object({ a: z.string().describe("x".repeat(5_000_000)) })`, 'SCHEMA_'],
    ['(() => { JSON.stringify = () => "{}"; return z.date() })()', 'SCHEMA_'],
    ['(() => { Object.keys = () => []; return z.object({ a: z.date() }) })()', 'SCHEMA_'],
    ['({ problems: [], schema: { type: "nonsense" }, type: 7 })', 'SCHEMA_UNSUPPORTED'],
  ])('%s harms nothing', async (source, part) => {
    const outcome = await evaluateSchemaSource(source, { sandbox, timeoutMs: 1_000 }).catch(
      (error: unknown) =>
        ToolError.is(error) ? `${error.code} ${error.message}` : `? ${String(error)}`,
    )
    expect(typeof outcome === 'string' ? outcome : '').toContain(part)
    expect(typeof outcome === 'string' && outcome.startsWith('?')).toBe(false)
    expect(await evaluate('z.object({})')).toMatchObject({ type: 'object' })
  })

  test('a source of 65,536 characters is read, a longer one is not', async () => {
    const source = (length: number): string => 'z.object({})'.padEnd(length)
    expect(await evaluate(source(65_536))).toMatchObject({ type: 'object' })
    expect(await problemOf(source(65_537))).toContain('at most 65536')
  })

  test('nothing of one evaluation is there in the next', async () => {
    await problemOf('(() => { globalThis.z = 1; Object.prototype.refine = 1; return 1 })()')
    expect(await evaluate('z.object({ a: z.string() })')).toMatchObject({ required: ['a'] })
  })
})

test('an aborted evaluation throws the reason', async () => {
  const reason = new Error('enough')
  const gone = AbortSignal.abort(reason)
  await expect(evaluateSchemaSource('z.object({})', { sandbox, signal: gone })).rejects.toBe(reason)
  const ending = new AbortController()
  const running = evaluateSchemaSource('(() => { for (;;) {} })()', {
    sandbox,
    signal: ending.signal,
  })
  setTimeout(() => {
    ending.abort(reason)
  }, 50)
  await expect(running).rejects.toBe(reason)
})

test('evaluations at once do not take each other’s module away', async () => {
  const sources = Array.from({ length: 6 }, () => 'z.object({ same: z.string() })')
  const schemas = await Promise.all(sources.map((source) => evaluate(source)))
  expect(new Set(schemas.map((schema) => JSON.stringify(schema))).size).toBe(1)
})
