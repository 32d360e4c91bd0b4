import { createSandbox, type SandboxOutcome } from '@toolcrib/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { factoryEntry } from './factory-form.ts'
import { guestModules, guestModulesFingerprint } from '../modules/guest-modules.ts'

const sandbox = createSandbox({ maxWorkers: 1 })

afterAll(async () => {
  await sandbox.close()
})

const run = async (source: string, input: unknown): Promise<SandboxOutcome> => {
  const loaded = await sandbox.load(await factoryEntry({ source }))
  if (!loaded.ok) throw new Error(loaded.message)
  return sandbox.call(loaded.hash, JSON.stringify(input), {
    call: { id: 'call-1', agentId: 'ada', toolName: 'calculate' },
  })
}

const valueOf = async (source: string, input: unknown): Promise<unknown> => {
  const outcome = await run(source, input)
  if (!outcome.ok) throw new Error(outcome.message)
  return JSON.parse(outcome.json)
}

/** The calculator of anybody who writes tools for the AI SDK. */
const calculator = `import { tool } from 'ai'
import { z } from 'zod'
const schema = z.object({
  operation: z.enum(['add', 'divide']),
  a: z.coerce.number(),
  b: z.number().default(2),
})
export default (context) => {
  const made = tool({
    description: 'Calculates',
    inputSchema: schema,
    execute: async (input, options) => {
      if (input.operation === 'add') return { result: input.a + input.b, by: context.agentId, options }
      if (input.b === 0) throw new Error('Division by zero')
      return { result: input.a / input.b }
    },
  })
  Object.defineProperty(made, 'getHumanReadableContent', { value: () => 'x', enumerable: false })
  return made
}
`

describe('a tool of the AI SDK’s form', () => {
  test('is made with a context, and its input passes its own schema', async () => {
    expect(await valueOf(calculator, { operation: 'add', a: '5' })).toMatchObject({
      result: 7,
      by: 'ada',
      options: { toolCallId: 'call-1', messages: [], abortSignal: { aborted: false } },
    })
  })

  test('what its schema refuses is an error that names the field', async () => {
    expect(await run(calculator, { operation: 'root', a: 1, b: 'x' })).toMatchObject({
      ok: false,
      errorName: 'InputError',
      message: expect.stringMatching(/operation: .*; b: /),
    })
  })

  test('an error of its own has its place in the author’s file', async () => {
    expect(await run(calculator, { operation: 'divide', a: 1, b: 0 })).toMatchObject({
      ok: false,
      message: 'Division by zero',
      position: { module: 'toolcrib:tool', line: 14, column: 36 },
    })
  })

  test('a rule that JSON Schema cannot say holds all the same', async () => {
    const source = `import { tool } from 'ai'
      import { z } from 'zod'
      export default () => tool({ description: 'x', inputSchema: z.object({ n: z.number().refine(async (n) => n % 2 === 0, 'must be even') }), execute: ({ n }) => n })`
    expect(await valueOf(source, { n: 4 })).toBe(4)
    expect(await run(source, { n: 3 })).toMatchObject({
      message: expect.stringContaining('n: must be even'),
    })
  })

  test('a JSON Schema with a check of its own is asked', async () => {
    const source = `import { tool, jsonSchema } from 'ai'
      export default () => tool({
        description: 'x',
        inputSchema: jsonSchema({ type: 'object' }, {
          validate: (value) => value.ok ? { success: true, value: { n: 1 } } : { success: false, error: new Error('not ok') },
        }),
        execute: ({ n }) => n,
      })`
    expect(await valueOf(source, { ok: true })).toBe(1)
    expect(await run(source, {})).toMatchObject({ message: expect.stringContaining('not ok') })
  })

  test('of a tool that gives values one after the other the last one counts', async () => {
    const source = `import { tool } from 'ai'
      export default () => tool({ description: 'x', inputSchema: {}, async *execute() { yield 'working'; yield { done: true } } })`
    expect(await valueOf(source, {})).toEqual({ done: true })
  })

  test('the factory may be asynchronous, and may have an id made', async () => {
    const source = `import { dynamicTool, generateId } from 'ai'
      export default async () => dynamicTool({ description: 'x', inputSchema: {}, execute: () => generateId() })`
    expect(await valueOf(source, {})).toMatch(/^[0-9A-Za-z]{16}$/)
  })

  test('the log and everything else of ctx is in the context', async () => {
    const source = `export default (context) => ({ description: 'x', inputSchema: {}, execute() { context.log('info', 'hi'); return Object.keys(context).sort() } })`
    const outcome = await run(source, {})
    expect(outcome.logs).toEqual([{ level: 'info', message: 'hi' }])
    expect(outcome.ok && JSON.parse(outcome.json)).toEqual(
      expect.arrayContaining(['agent', 'agentId', 'fs', 'http', 'log', 'secrets', 'tools']),
    )
  })

  test('nothing of one call is there in the next', async () => {
    const source = `let calls = 0
      export default () => ({ description: 'x', inputSchema: {}, execute: () => (calls += 1) })`
    expect([await valueOf(source, {}), await valueOf(source, {})]).toEqual([1, 1])
  })
})

describe('the modules of a guest', () => {
  test('hold zod as it is installed, with every import written out', () => {
    const modules = guestModules()
    expect(Object.keys(modules)).toEqual(expect.arrayContaining(['ai', 'zod', 'zod/index.js']))
    const size = Object.values(modules).reduce((sum, source) => sum + source.length, 0)
    expect(size).toBeLessThan(600_000)
    for (const source of Object.values(modules))
      for (const [, specifier = ''] of source.matchAll(
        /^(?:import|export)\b.*\bfrom ["']([^"']+)["']/gm,
      ))
        expect(modules).toHaveProperty([specifier])
  })

  test('are loaded only where they are imported', async () => {
    const without = await factoryEntry({ source: 'export default () => ({})' })
    expect(Object.keys(without.imports ?? {})).not.toContain('zod')
    expect(Object.keys((await factoryEntry({ source: calculator })).imports ?? {})).toContain('zod')
  })

  test('have a fingerprint that stays while they stay', () => {
    expect(guestModulesFingerprint()).toMatch(/^[0-9a-f]{16}$/)
    expect(guestModulesFingerprint()).toBe(guestModulesFingerprint())
  })

  test('zod is whole: every kind of schema that a tool needs', async () => {
    const source = `import * as all from 'zod'
      import z, { ZodError } from 'zod'
      export default () => ({ description: 'x', inputSchema: {}, execute() {
        const user = z.strictObject({ name: z.string().min(1), tags: z.set(z.string()).optional(), when: z.iso.datetime().optional() })
        const failed = user.safeParse({ name: '', other: 1 })
        return [all.z === z, failed.error instanceof ZodError, failed.error.issues.map((issue) => issue.message), z.prettifyError(failed.error), z.toJSONSchema(user.pick({ name: true })).type]
      } })`
    expect(await valueOf(source, {})).toEqual([
      true,
      true,
      expect.arrayContaining([expect.stringContaining('expected string to have >=1 characters')]),
      expect.stringContaining('✖'),
      'object',
    ])
  })
})
