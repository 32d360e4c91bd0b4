import { ToolError } from '@toolcrib/registry'
import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { type InspectedToolFile, inspectToolFile } from './inspect-tool-file.ts'

const sandbox = createSandbox({ maxWorkers: 1 })

afterAll(async () => {
  await sandbox.close()
})

const inspect = (source: string): Promise<InspectedToolFile> => inspectToolFile(source, { sandbox })

const problemOf = async (source: string): Promise<string> => {
  const error = await inspect(source).catch((thrown: unknown) => thrown)
  if (ToolError.is(error)) return `${error.code} ${error.message}`
  throw new Error(`It was accepted, or failed in another way: ${String(error)}`)
}

/** A factory around parts of a tool. */
const factory = (tool: string, before = ''): string =>
  `import { tool } from 'ai'\nimport { z } from 'zod'\n${before}\nexport default (context: any) => (${tool})\n`

const greet = `tool({
  description: 'Greets somebody',
  inputSchema: z.object({ name: z.string() }),
  execute: async ({ name }: { name: string }) => 'Hello ' + name,
})`

describe('a factory of the AI SDK’s form', () => {
  test('says its description and its input as JSON Schema', async () => {
    expect(await inspect(factory(greet))).toEqual({
      form: 'factory',
      description: 'Greets somebody',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
      settings: {},
    })
  })

  test('types are imported from anywhere, and erased', async () => {
    const source = `import { tool, type CoreTool } from 'ai';
      import { z } from 'zod';
      import type { ExecutionContext } from '@/agents/execution/types';
      import type { AISdkTool } from '@/tools/registry';
      const schema = z.object({ a: z.number() });
      const create = (context: ExecutionContext): AISdkTool =>
        tool({ description: 'Adds', inputSchema: schema, execute: async (input) => input.a }) as CoreTool;
      export default create;`
    expect(await inspect(source)).toMatchObject({ form: 'factory', description: 'Adds' })
  })

  test('its schema may do what JSON Schema cannot say, because it reads the input again', async () => {
    const source = factory(`tool({
      description: 'Reads dates',
      inputSchema: z.object({
        when: z.coerce.date(),
        n: z.coerce.number().min(1),
        even: z.number().refine((x) => x % 2 === 0),
        short: z.string().trim().regex(/^a/).default('a'),
        list: z.array(z.object({ b: z.string().default('x') })),
        pre: z.preprocess(String, z.string()),
      }),
      outputSchema: z.object({ ok: z.boolean() }),
      execute: () => 1,
    })`)
    expect(await inspect(source)).toMatchObject({
      inputSchema: {
        properties: {
          when: { type: ['string', 'number'] },
          n: { type: ['number', 'string', 'boolean', 'null'], minimum: 1 },
          even: { type: 'number' },
          short: { type: 'string', description: 'Default: "a"' },
          list: { items: { properties: { b: { type: 'string' } } } },
          pre: {},
        },
        required: ['when', 'n', 'even', 'list', 'pre'],
      },
      outputSchema: { properties: { ok: { type: 'boolean' } } },
    })
  })

  test.each([
    ['inputSchema: jsonSchema({ type: "object", properties: { a: { type: "string" } } })'],
    ['inputSchema: () => ({ type: "object", properties: { a: { type: "string" } } })'],
    ['parameters: { type: "object", properties: { a: { type: "string" } } }'],
  ])('a schema may be %s', async (schema) => {
    const source = `import { tool, jsonSchema } from 'ai'\nexport default () => tool({ description: 'Does it', ${schema}, execute: () => 1 })`
    expect((await inspect(source)).inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })

  test('a choice of objects is an object', async () => {
    const source = factory(
      "tool({ description: 'x', inputSchema: z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]), execute: () => 1 })",
    )
    expect((await inspect(source)).inputSchema).toMatchObject({ type: 'object', oneOf: [{}, {}] })
  })

  test('the factory learns for whom it is', async () => {
    const source = factory(
      'tool({ description: `For ${context.agentId} ${context.agent.name} ${context.toolName}`, inputSchema: z.object({}), execute: () => 1 })',
    )
    const inspected = await inspectToolFile(source, { sandbox, agentId: 'ada', toolName: 'greet' })
    expect(inspected.description).toBe('For ada ada greet')
  })
})

describe('the line for people', () => {
  const formatOf = async (definition: string): Promise<string | undefined> => {
    const source = factory(`(() => { const made = ${greet}; ${definition}; return made })()`)
    return (await inspect(source)).humanReadableFormat
  }
  const own = (body: string): string =>
    `Object.defineProperty(made, 'getHumanReadableContent', { value: (input) => ${body}, enumerable: false })`

  test.each([
    [
      own('`Calculating: ${input.a} ${input.operation} ${input.b}`'),
      'Calculating: ${input.a} ${input.operation} ${input.b}',
    ],
    [own("'Reading ' + input.file.path"), 'Reading ${input.file.path}'],
    [own("'Does it'"), 'Does it'],
    ['made.getHumanReadableContent = ({ name }) => `Greets ${name}`', 'Greets ${input.name}'],
  ])('%s', async (definition, format) => {
    expect(await formatOf(definition)).toBe(format)
  })

  test.each([
    own('input.name.toUpperCase()'),
    own('`${input.count * 2}`'),
    own('input.count > 1 ? "many" : "one"'),
    own('JSON.stringify(input)'),
    own('Object.keys(input).join()'),
    own('`${input.list.map((x) => x)}`'),
    own('Promise.resolve("later")'),
    own('input'),
    own('42'),
    own('"x".repeat(1001)'),
    own('(() => { throw new Error("no") })()'),
    'made.getHumanReadableContent = 7',
  ])('is left out where it is more than a template: %s', async (definition) => {
    expect(await formatOf(definition)).toBeUndefined()
  })
})

describe('export const toolcrib', () => {
  const settings = `export const toolcrib = {
    capabilities: ['http'],
    allowedDomains: ['api.example.com'],
    limits: { cpuMs: 100, timeoutMs: 5000 },
    examples: [{ input: { name: 'Ada' }, expected: 'Hello Ada' }],
  }`

  test('beside a factory it says what the tool needs', async () => {
    expect(await inspect(factory(greet, settings))).toMatchObject({
      form: 'factory',
      settings: {
        capabilities: ['http'],
        allowedDomains: ['api.example.com'],
        limits: { cpuMs: 100, timeoutMs: 5000 },
        examples: [{ input: { name: 'Ada' }, expected: 'Hello Ada' }],
      },
    })
  })

  test('with an input schema it makes the default export the function itself', async () => {
    const source = `export const toolcrib = {
        description: 'Adds one',
        inputSchema: 'z.object({ n: z.number() })',
        outputSchema: { type: 'number' },
        humanReadableFormat: 'Adding one to \${input.n}',
        examples: [{ input: { n: 1 }, expected: 2 }],
      }
      export default (input: { n: number }) => input.n + 1`
    expect(await inspect(source)).toEqual({
      form: 'function',
      description: 'Adds one',
      inputSchema: {
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
        additionalProperties: false,
      },
      outputSchema: { type: 'number' },
      humanReadableFormat: 'Adding one to ${input.n}',
      settings: expect.objectContaining({ examples: [{ input: { n: 1 }, expected: 2 }] }),
    })
  })

  test.each([
    [`export const toolcrib = { power: 1 }`, 'toolcrib: Unrecognized key'],
    [`export const toolcrib = { capabilities: ['root'] }`, 'toolcrib.capabilities.0'],
    [`export const toolcrib = { examples: [{ expected: 1 }] }`, 'toolcrib.examples.0.input'],
    [`export const toolcrib = 7`, 'toolcrib: '],
    [`export const toolcrib = { description: 'twice' }`, 'toolcrib.description is said twice'],
  ])('%s is refused', async (settingsSource, part) => {
    const problem = await problemOf(factory(greet, settingsSource))
    expect(problem).toContain('TOOL_FILE_INVALID')
    expect(problem).toContain(part)
  })

  test('a schema in it that cannot be said is named', async () => {
    const source = `export const toolcrib = { description: 'x', inputSchema: 'z.object({ a: z.date() })' }
      export default () => 1`
    expect(await problemOf(source)).toMatch(
      /^SCHEMA_UNSUPPORTED inputSchema: .*a: JSON has no dates/,
    )
  })
})

describe('a file that cannot become a tool', () => {
  test.each([
    ['export default (', 'line 1, column 17'],
    ['enum A { B }\nexport default () => 1', 'line 1, column 1: TypeScript enum'],
    [
      "import fs from 'node:fs'\nexport default () => 1",
      'it imports "node:fs" at line 1, column 17',
    ],
    ["export * from './other.ts'\nexport default () => 1", 'it imports "./other.ts"'],
    [
      "import { x } from 'toolcrib:factory'\nexport default () => 1",
      'it imports "toolcrib:factory"',
    ],
    ["import { x } from 'zod/v4/core/util.js'\nexport default () => 1", 'it imports "zod/v4'],
    ['const x = 1', 'The default export must be a function'],
    ['export default 1', 'default export'],
    ['export default () => 1', 'The factory must return tool({ … }), and returned number'],
    ['export default () => null', 'returned null'],
    ['export default () => ({})', 'The tool has no function "execute"'],
    ['export default () => ({ execute() {} })', 'The tool has no "inputSchema"'],
    ['export default () => ({ execute() {}, inputSchema: 7, description: "x" })', 'SCHEMA_INVALID'],
    ['export default () => ({ execute() {}, inputSchema: {} })', 'description must say'],
    [
      "import { tool, CoreTool } from 'ai'\nexport default () => 1",
      'write: import type { CoreTool }',
    ],
    ['\n  throw new Error("boom")\nexport default () => 1', 'at line 2, column 13: boom'],
    ['export default () => { throw new TypeError("bad") }', 'TypeError: bad'],
    ['await new Promise(() => {})\nexport default () => 1', 'TOOL_FILE_INVALID'],
    ['export default () => new Promise(() => {})', 'stalled'],
    [`export default () => 1 // ${'x'.repeat(65_536)}`, 'at most 65536'],
  ])('%s', async (source, part) => {
    expect(await problemOf(source)).toContain(part)
  })
})

describe('attacks', () => {
  test.each([
    'while (true) {}\nexport default () => 1',
    'export default () => { while (true) {} }',
    'const a = []; for (;;) a.push(new Array(1e6).fill(0))\nexport default () => 1',
    'export default () => ({ description: "x".repeat(5e6), inputSchema: {}, execute() {} })',
    'export const toolcrib = new Proxy({}, { get() { while (true) {} } })\nexport default () => 1',
    'JSON.stringify = () => "[]"; export default () => ({ description: 7, inputSchema: {}, execute() {} })',
    'process.exit(1)\nexport default () => 1',
    'export default (context) => { context.http.request({ url: "http://127.0.0.1/" }); return 1 }',
  ])('%s ends with an error and harms nothing', async (source) => {
    const outcome = await inspectToolFile(source, { sandbox, timeoutMs: 500 }).then(
      (inspected) => inspected.inputSchema,
      (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
    )
    expect(['TOOL_FILE_INVALID', 'SCHEMA_INVALID', 'SCHEMA_UNSUPPORTED']).toContain(outcome)
    expect((await inspect(factory(greet))).description).toBe('Greets somebody')
  })

  test('a file reaches no operation of the host while it is looked at', async () => {
    const source = `let said = 'nothing'
      export default async (context: any) => {
        for (const call of [() => context.http.request({ url: 'http://127.0.0.1/' }), () => context.fs.readText('/etc/passwd'), () => context.tools.call('x', {})])
          try { await call(); said = 'reached' } catch {}
        return { description: said, inputSchema: { type: 'object' }, execute() {} }
      }`
    const inspected = await inspect(source).catch((error: unknown) => String(error))
    expect(JSON.stringify(inspected)).not.toContain('reached')
  })
})

test('an aborted look throws the reason', async () => {
  const reason = new Error('enough')
  await expect(
    inspectToolFile(factory(greet), { sandbox, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason)
})
