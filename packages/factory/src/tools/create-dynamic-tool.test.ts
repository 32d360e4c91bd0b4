import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { viewTool } from '@toolcrib/registry'
import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CodeHost, openCodeHost } from '../../test/open-code-host.ts'
import { createFactoryTools } from '../index.ts'

const sandbox = createSandbox({ maxWorkers: 1 })
let host: CodeHost

beforeEach(async () => {
  host = await openCodeHost(sandbox)
})
afterEach(async () => {
  await host.close()
})
afterAll(async () => {
  await sandbox.close()
})

const shout = {
  name: 'shout_text',
  description: 'Turns a text into capitals',
  inputSchema: 'z.object({ text: z.string() })',
  implementation: `
    const result = input.text.toUpperCase();
    return { transformed: result };
  `,
  humanReadableFormat: 'Processing: ${input.text}',
  examples: [{ input: { text: 'a' }, expected: { transformed: 'A' } }],
}

const create = (input: object, agent = 'ada'): Promise<Record<string, unknown>> =>
  host.call(agent, 'create_dynamic_tool', input)

describe('the definition', () => {
  test('is there only where there is a sandbox for it', () => {
    const { toolsmaker } = host
    const names = (tools: ReturnType<typeof createFactoryTools>): string[] =>
      tools.map(({ name }) => name)
    expect(names(createFactoryTools({ toolsmaker }))).not.toContain('create_dynamic_tool')
    expect(names(createFactoryTools({ toolsmaker, code: { sandbox } }))).toContain(
      'create_dynamic_tool',
    )
  })

  test('has schemas that models and MCP can take', () => {
    const tool = host.registry.get('create_dynamic_tool')
    const view = tool === undefined ? undefined : viewTool(tool)
    expect(view?.problem).toBeUndefined()
    expect(view).toMatchObject({
      input: {
        schema: {
          type: 'object',
          required: ['name', 'description', 'inputSchema', 'implementation'],
        },
      },
      output: { schema: { type: 'object' } },
    })
  })

  test('says in one line what the tool would touch', () => {
    const tool = host.registry.get('create_dynamic_tool')
    expect(tool?.describeCall?.(shout)).toBe('Propose the code tool shout_text, touching nothing')
    const reaching = {
      ...shout,
      name: 'a\u202eb',
      capabilities: ['http', 'secrets'],
      allowedDomains: ['api.example.com'],
      secrets: ['TOKEN'],
    }
    expect(tool?.describeCall?.(reaching)).toBe(
      String.raw`Propose the code tool a\u{202e}b, with http (api.example.com), secrets (TOKEN)`,
    )
  })
})

describe('a proposal', () => {
  test('waits for a person, says so, and is callable when approved', async () => {
    expect(await create(shout)).toEqual({
      success: true,
      toolName: 'shout_text',
      type: 'code',
      status: 'approval_required',
      version: 1,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      review: 'reviews/shout_text_v1.json',
      message: expect.stringMatching(/^shout_text v1 waits for a person/),
    })
    expect(host.registry.has('shout_text')).toBe(false)
    await host.approve('shout_text', 1)
    expect(await host.call('ada', 'shout_text', { text: 'hi' })).toEqual({ transformed: 'HI' })
    expect(host.registry.get('shout_text')?.describeCall?.({ text: 'hi' })).toBe('Processing: hi')
  })

  test('of the same tool again is the same version', async () => {
    const first = await create(shout)
    expect(await create(shout)).toMatchObject({
      success: true,
      version: 1,
      contentHash: first['contentHash'],
      message: expect.stringContaining('on record already'),
    })
  })

  test('zod source and the JSON Schema that it says make the same tool', async () => {
    const inputSchema = {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    }
    const first = await create(shout)
    for (const same of [inputSchema, JSON.stringify(inputSchema)])
      expect(await create({ ...shout, inputSchema: same })).toMatchObject({
        version: 1,
        contentHash: first['contentHash'],
      })
  })

  test('is rendered the same way each time, and shown to the reviewer', async () => {
    await create(shout)
    const source = await readFile(join(host.directory, 'generated/shout_text_v1.ts'), 'utf8')
    expect(source).toContain('export default async function execute(input: Input')
    expect(source).toContain('const result = input.text.toUpperCase();')
  })

  test('may name the context as `context`', async () => {
    const implementation = 'context.log("info", "hi")\nreturn context.call.agentId ?? "nobody"'
    const proposal = { ...shout, implementation, examples: [{ input: { text: 'a' } }] }
    expect(await create(proposal)).toMatchObject({ success: true, status: 'approval_required' })
    await host.approve('shout_text', 1)
    expect(await host.call('ada', 'shout_text', { text: 'x' })).toBe('ada')
  })

  test('may have a variable of that name', async () => {
    const implementation =
      'const context = input.text\nreturn { transformed: context.toUpperCase() }'
    expect(await create({ ...shout, implementation })).toMatchObject({ success: true })
  })

  test('carries everything that was asked for into the record', async () => {
    await create({
      ...shout,
      outputSchema: 'z.object({ transformed: z.string() })',
      limits: { timeoutMs: 1_000, cpuMs: 500, memoryBytes: 4_194_304, maxHostCalls: 3 },
    })
    expect(host.toolsmaker.getSpec('shout_text', 1)).toMatchObject({
      kind: 'code',
      outputSchema: { properties: { transformed: { type: 'string' } } },
      limits: { timeoutMs: 1_000 },
      definition: {
        form: 'function',
        humanReadableFormat: 'Processing: ${input.text}',
        limits: { cpuMs: 500, memoryBytes: 4_194_304, maxHostCalls: 3 },
      },
      provenance: { source: 'create_dynamic_tool' },
    })
  })
})

describe('what a model can mend', () => {
  test('no example: an example to complete', async () => {
    const { examples: _none, ...proposal } = shout
    const answer = await create(proposal)
    expect(answer).toMatchObject({ success: false, errorCode: 'EXAMPLES_NEEDED' })
    expect(answer['error']).toMatch(/^Nothing was proposed: .*"examples": \[\{"input":\{"text":/)
    expect(host.toolsmaker.listVersions('shout_text')).toEqual([])
  })

  test('no example of a tool with powers: fixtures too', async () => {
    const proposal = {
      ...shout,
      examples: [],
      capabilities: ['http'],
      allowedDomains: ['api.example.com'],
    }
    expect((await create(proposal))['error']).toContain('"fixtures":[{"operation":"http.request"')
  })

  test('an example that fails: line and column of the implementation', async () => {
    const implementation =
      'const a = 1\nif (input.text === "a") throw new Error("not this one")\nreturn a'
    const answer = await create({ ...shout, implementation })
    expect(answer).toMatchObject({
      success: false,
      status: 'rejected',
      errorCode: 'PROPOSAL_REJECTED',
      problems: [expect.stringMatching(/not this one.*line 2, column \d+/)],
    })
    expect(JSON.stringify(answer)).not.toMatch(/source \d/)
  })

  test('an example with another result: both values', async () => {
    const examples = [{ input: { text: 'a' }, expected: { transformed: 'B' } }]
    const answer = await create({ ...shout, examples })
    expect(JSON.stringify(answer['problems'])).toMatch(/\\"A\\".*|\\"B\\"/)
  })

  test.each([
    ['return fetch("http://x")', 'line 1, column 8'],
    ['const a = 1\n  return process.env', 'line 2, column 10'],
    ['const context2 = context\nreturn process.env', 'line 2, column 8'],
    ['const fs = await import("fs")\nreturn 1', 'line 1, column 18'],
    ['return ctx.http.get("https://api.example.com")', 'line 1, column 8'],
  ])('a line that is not accepted: %j', async (implementation, place) => {
    const answer = await create({ ...shout, implementation })
    expect(answer).toMatchObject({ success: false, status: 'rejected' })
    expect(String(answer['error'])).toContain(place)
  })

  test.each([
    ['const a = \nreturn (', 'line 2'],
    ['return 1 }', 'line 1'],
    ['return 1\n}\nexport const x = {', 'line'],
    ['enum A { B }', 'line 1, column 1'],
  ])('an implementation that is none: %j', async (implementation, place) => {
    const answer = await create({ ...shout, implementation })
    expect(answer).toMatchObject({ success: false, errorCode: 'IMPLEMENTATION_INVALID' })
    expect(answer['error']).toContain(place)
    expect(host.toolsmaker.listVersions('shout_text')).toEqual([])
  })

  test.each([
    'async (input) => { return { transformed: input.text } }',
    '// says it\n({ text }: { text: string }, ctx): Promise<string> => text',
    'input => input.text',
    'async function execute(input, ctx) {\n  return input.text\n}',
    'const run = async ({ text }: Input) => {\n  return text\n}',
  ])('a whole function that nobody calls: %j', async (implementation) => {
    const { examples: _promised, ...rest } = shout
    const examples = [{ input: { text: 'a' } }]
    expect(await create({ ...rest, implementation, examples })).toMatchObject({
      success: false,
      errorCode: 'IMPLEMENTATION_INVALID',
      error: expect.stringContaining('line 1, column 1: This is a whole function'),
    })
    expect(host.toolsmaker.listVersions('shout_text')).toEqual([])
  })

  test.each([
    'function up(text: string) { return text.toUpperCase() }\nreturn up(input.text)',
    'const up = (text: string) => text.toUpperCase()\nreturn up(input.text)',
    '(() => {})()\nreturn input.text.toUpperCase()',
    'const wanted = input.text === "" ? (() => 1) : 2\nreturn input.text.toUpperCase()',
  ])('a function that is called is none: %j', async (implementation) => {
    const examples = [{ input: { text: 'a' }, expected: 'A' }]
    const answer = await create({ ...shout, implementation, examples })
    expect(answer).toMatchObject({ success: true })
    expect(answer).not.toHaveProperty('warnings')
  })

  test('a body that returns nothing: a warning, unless nothing is promised', async () => {
    const implementation = 'const result = input.text.toUpperCase()'
    const examples = [{ input: { text: 'a' } }]
    expect(await create({ ...shout, implementation, examples })).toMatchObject({
      success: true,
      warnings: [expect.stringContaining('"return …"')],
    })
    const promised = [{ input: { text: 'a' }, expected: null }]
    expect(
      await create({ ...shout, name: 'say_nothing', implementation, examples: promised }),
    ).not.toHaveProperty('warnings')
  })

  test('what is probably a mistake: a warning at its place', async () => {
    const implementation = 'const a = 1\nreturn String(ctx.database) + a'
    const examples = [{ input: { text: 'a' } }]
    expect(await create({ ...shout, implementation, examples })).toMatchObject({
      success: true,
      warnings: [expect.stringMatching(/line 2, column 15: ctx has no "database"/)],
    })
  })

  test('each problem is said once in full and once in a list', async () => {
    const answer = await create({ ...shout, implementation: 'return process.env', callees: ['x'] })
    const { error, message, problems } = answer as {
      error: string
      message: string
      problems: string[]
    }
    expect(problems.length).toBeGreaterThan(1)
    expect(error).toMatch(/^.*[.] .*[.]$/)
    expect(message).toBe(
      'shout_text v1 was rejected. Mend what "problems" lists and propose it again.',
    )
  })

  test('a schema that cannot be said: its place', async () => {
    const inputSchema = 'z.object({ text: z.string().refine((x) => x) })'
    expect(await create({ ...shout, inputSchema })).toMatchObject({
      success: false,
      errorCode: 'SCHEMA_UNSUPPORTED',
      error: expect.stringMatching(/^inputSchema: .*text: refine/),
    })
    const outputSchema = 'z.date()'
    expect(await create({ ...shout, outputSchema })).toMatchObject({
      error: expect.stringMatching(/^outputSchema: /),
    })
  })

  test.each([
    [{ name: 'tool_1' }, 'TOOL_NAME_NOT_MEANINGFUL'],
    [{ name: 'create_dynamic_tool' }, 'TOOL_NAME_TAKEN'],
    [{ name: 'mcp__github__search' }, 'TOOL_NAME_TAKEN'],
    [{ inputSchema: 'z.string()' }, 'REQUEST_INVALID'],
    [{ description: ' ' }, 'REQUEST_INVALID'],
  ])('%j: %s', async (fields, errorCode) => {
    expect(await create({ ...shout, ...fields })).toMatchObject({ success: false, errorCode })
  })

  test('the name of somebody else’s tool', async () => {
    await create(shout)
    expect(await create(shout, 'bob')).toMatchObject({
      success: false,
      errorCode: 'TOOL_NOT_OWNED',
    })
  })
})

describe('attacks', () => {
  test('description and name cannot leave their comment', async () => {
    const description = 'Says hi */ process.exit(1) /*\n}\nprocess.exit(1)\r\n// ` ${1} \\'
    expect(await create({ ...shout, description })).toMatchObject({ success: true })
    await host.approve('shout_text', 1)
    expect(await host.call('ada', 'shout_text', { text: 'x' })).toEqual({ transformed: 'X' })
  })

  test('a schema’s source runs in the sandbox only', async () => {
    const before = await readdir(host.directory)
    const inputSchema =
      '(() => { globalThis.process?.exit(1); return z.object({ text: z.string() }) })()'
    expect(await create({ ...shout, inputSchema })).toMatchObject({ success: true })
    const after = await readdir(host.directory)
    expect(after.filter((name) => !before.includes(name))).toEqual(
      expect.not.arrayContaining(['escaped']),
    )
  })

  test('the format of a line is filled in and never evaluated', async () => {
    const humanReadableFormat = 'Running ${process.exit(1)} ${input.text}'
    const answer = await create({ ...shout, humanReadableFormat })
    expect(answer).toMatchObject({ success: false, status: 'rejected' })
  })

  test('an agent gets nothing that could approve', async () => {
    const answer = await create(shout)
    expect(JSON.stringify(answer)).not.toMatch(/signer|decision|privateKey/)
    const principal = { kind: 'agent', id: 'ada' } as const
    expect(await host.invoke(principal, 'shout_text', { text: 'x' })).toMatchObject({
      success: false,
      errorCode: 'TOOL_NOT_FOUND',
    })
  })
})
