import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CodeDefinition } from '../code-definition.ts'
import { type TypeCheckOutcome, type TypeChecker, createTypeChecker } from './type-checker.ts'

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}
const outputSchema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
}
const { signal } = new AbortController()

let checker: TypeChecker
beforeAll(() => {
  checker = createTypeChecker({ typescript: 'typescript-classic' })
})
afterAll(() => checker.close())

async function check(
  source: string,
  definition: Partial<CodeDefinition> = {},
): Promise<TypeCheckOutcome> {
  return checker.check({
    spec: { inputSchema, outputSchema },
    definition: { source, form: 'function', ...definition },
    signal,
  })
}

async function messagesOf(source: string, definition?: Partial<CodeDefinition>): Promise<unknown> {
  const outcome = await check(source, definition)
  return 'problems' in outcome
    ? outcome.problems.map(({ column, line, message }) => `${line}:${column} ${message}`)
    : outcome.notChecked
}

describe('the check of types', () => {
  it('accepts each form of a default export that fits the schemas', async () => {
    for (const source of [
      'export default async (input, ctx) => ({ text: input.city.toUpperCase() })',
      'export default async (input: Input, ctx: ToolContext): Promise<Output> => ({ text: input.city, more: 1 })',
      'export default function run({ city, days = 1 }, { log }) {\n  log("info", city.repeat(days))\n  return { text: city }\n}',
      'const run = async (input: { city: string }) => ({ text: input.city })\nexport default run',
      'async function run(input: any): Promise<unknown> { return input.whatever }\nexport { run as default }',
      'export default input => ({ text: input.city })',
      'export default async (input, ctx) => (await ctx.http.get("https://a.test")).json',
    ])
      expect(await messagesOf(source), source).toEqual([])
  })

  it('tells mistakes at the line and column of the source', async () => {
    expect(await messagesOf('export default async (input, ctx) => ({ text: input.town })')).toEqual(
      ["1:53 Property 'town' does not exist on type 'Input'."],
    )
    expect(
      await messagesOf('export default async input => { return { text: input.cty } }'),
    ).toEqual(["1:54 Property 'cty' does not exist on type 'Input'. Did you mean 'city'?"])
    expect(
      await messagesOf(
        'export default async (\n  input,\n  ctx,\n) => {\n  await ctx.fs.readTxt(input.city)\n  return { text: 1 + input.city }\n}',
      ),
    ).toEqual([
      "5:16 Property 'readTxt' does not exist on type 'ToolFiles'. Did you mean 'readText'?",
    ])
    expect(
      await messagesOf('export default (input, { fs }) => ({ text: process.cwd() + fs })'),
    ).toEqual(["1:44 Cannot find name 'process'."])
  })

  it('compares the whole function with the schemas', async () => {
    expect(
      await messagesOf('\nexport default (input: { town: string }) => ({ text: input.town })'),
    ).toEqual([
      expect.stringMatching(
        /^2:16 The function does not take the declared input\. .*'town' is missing/,
      ),
    ])
    expect(await messagesOf('const run = async () => ({ txt: "" })\nexport default run')).toEqual([
      expect.stringMatching(
        /^1:13 What the function returns does not fit the output schema\. .*'text' is missing/,
      ),
    ])
  })

  it('takes modules of tool factories as they come, and checks the rest', async () => {
    const source = [
      "import { tool } from 'ai'",
      "import { z } from 'zod'",
      "import type { ExecutionContext } from '@/agents/execution/types'",
      'const schema = z.object({ a: z.string() })',
      'export default (context: ExecutionContext) => tool({ inputSchema: schema, execute: async (input: z.infer<typeof schema>) => input.a + missing })',
    ].join('\n')
    expect(await messagesOf(source, { form: 'factory' })).toEqual([
      "5:135 Cannot find name 'missing'.",
    ])
  })

  it('knows the types of imported modules', async () => {
    const modules = [
      {
        specifier: 'toolcrib:lib/shout@1',
        contentHash: '0'.repeat(64),
        source: 'export const shout = (text: string): string => text.toUpperCase()',
      },
    ]
    const source =
      "import { shout } from 'toolcrib:lib/shout@1'\nexport default (input) => ({ text: shout(input.days) })"
    expect(await messagesOf(source, { modules })).toEqual([
      "2:42 Argument of type 'number | undefined' is not assignable to parameter of type 'string'. Type 'undefined' is not assignable to type 'string'.",
    ])
  })

  it('reads no file of the host', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'types-'))
    const file = join(folder, 'canary.ts')
    writeFileSync(
      file,
      'export const canary: "CANARY-1" = "CANARY-1"\ndeclare global { const leaked: "CANARY-1" }',
    )
    writeFileSync(join(folder, 'canary.json'), '{ "canary": "CANARY-1" }')
    try {
      for (const head of [
        `/// <reference path="${file}" />`,
        `/// <reference path="../../../../../../..${file}" />`,
        `/// <reference types="${folder}/canary" />`,
        '/// <reference types="node" />',
        `import { canary } from '${file}'`,
        `import { canary } from '${file.slice(0, -3)}'`,
        `import { canary } from '../../../../../..${file}'`,
        `import { canary } from 'file://${file}'`,
        `import data from '${folder}/canary.json' with { type: 'json' }`,
        `type Data = import('${file}').canary`,
        "import '../package.json'",
      ]) {
        const source = `${head}\nexport default async () => ({ text: typeof canary === 'string' ? canary satisfies 1 : leaked satisfies 1 })`
        expect(JSON.stringify(await messagesOf(source)), head).not.toMatch(/CANARY|node_modules/)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('ends when types take too long, says so, and works again', async () => {
    const own = createTypeChecker({ typescript: 'typescript-classic', timeoutMs: 2_500 })
    const slow = [
      'type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9',
      'type Many = `${Digit}${Digit}${Digit}${Digit}`',
      'type Few = `${Digit}${Digit}${Digit}`',
      'const slow: Many extends `${infer A}${Few}` ? { [P in Many]: { [Q in Few]: `${P}${Q}` } }[Many][Few] : 1 = 1',
      'export default async () => ({ text: "" })',
    ].join('\n')
    const subject = { spec: { inputSchema, outputSchema }, signal }
    const first = await own.check({ ...subject, definition: { source: slow, form: 'function' } })
    expect(first).toEqual({
      problems: [
        {
          rule: 'types',
          severity: 'error',
          line: 1,
          column: 1,
          message: 'The types cannot be checked. It took more than 2500 ms. Use simpler types.',
        },
      ],
    })
    const source = 'export default async () => ({ text: "" })'
    expect(await own.check({ ...subject, definition: { source, form: 'function' } })).toEqual({
      problems: [],
    })
    own.close()
  })

  it('ends when types take too much memory, and says so', async () => {
    const own = createTypeChecker({ typescript: 'typescript-classic', maxMemoryMb: 16 })
    const source = 'export default async () => ({ text: "" })'
    const outcome = await own.check({
      spec: { inputSchema },
      definition: { source, form: 'function' },
      signal,
    })
    expect(JSON.stringify(outcome)).toMatch(/may have needed more than 16 MiB|did not start/)
    own.close()
  })

  it('answers sources that TypeScript cannot read', async () => {
    expect(await messagesOf('export default (')).not.toEqual([])
    for (const source of ['('.repeat(60_000), '!'.repeat(60_000), 'a?'.repeat(30_000)])
      expect(await messagesOf(source)).toHaveLength(1)
    expect(await messagesOf('export default async () => ({ text: "" })')).toEqual([])
  })

  it('stops waiting when the signal aborts, and goes on with others', async () => {
    const controller = new AbortController()
    const definition = {
      source: 'export default async () => ({ text: "" })',
      form: 'function' as const,
    }
    const spec = { inputSchema }
    const aborted = checker.check({ spec, definition, signal: controller.signal })
    const other = checker.check({ spec, definition, signal })
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect(await other).toEqual({ problems: [] })
    await expect(checker.check({ spec, definition, signal: controller.signal })).rejects.toThrow(
      'enough',
    )
  })

  it('says what to install when TypeScript is absent or has no API', async () => {
    const subject = {
      spec: { inputSchema },
      definition: { source: '', form: 'function' as const },
      signal,
    }
    const absent = createTypeChecker({ typescript: 'typescript-that-is-absent' })
    expect(await absent.check(subject)).toEqual({
      notChecked:
        'typescript-that-is-absent is not installed. Install TypeScript 6 beside toolcrib (npm install typescript@6) to have types checked.',
    })
    const other = createTypeChecker({ typescript: 'typescript' })
    expect(await other.check(subject)).toEqual({
      notChecked: expect.stringMatching(
        /^TypeScript 7\.\d+\.\d+ has no such API\. Install/,
      ) as string,
    })
    other.close()
    expect(await other.check(subject)).toEqual({ notChecked: 'the type checker is closed.' })
  })

  it('refuses limits out of range', () => {
    for (const field of ['timeoutMs', 'startTimeoutMs', 'maxMemoryMb', 'idleMs'])
      for (const value of [0, -1, 1.5, Number.NaN, 2 ** 31])
        expect(() => createTypeChecker({ [field]: value })).toThrow(field)
  })

  it('ends its process when nothing was asked for a while, and starts another', async () => {
    const own = createTypeChecker({ typescript: 'typescript-classic', idleMs: 1 })
    const subject = {
      spec: { inputSchema },
      definition: { source: 'export default () => 1', form: 'function' as const },
      signal,
    }
    expect(await own.check(subject)).toEqual({ problems: [] })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await own.check(subject)).toEqual({ problems: [] })
    own.close()
  })
})
