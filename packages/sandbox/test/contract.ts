import { contentHash, ToolError } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSandbox,
  type HostOperations,
  type Sandbox,
  type SandboxCallOptions,
  type SandboxMode,
  type SandboxOutcome,
} from '../src/index.ts'

const patience = 20_000

/** What holds of a sandbox in every mode. */
export function describeContract(mode: SandboxMode): void {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = createSandbox({ mode })
    // The first worker has started before anything is timed.
    await sandbox.load({ source: 'export default () => 0' }, { timeoutMs: patience })
  })

  afterAll(() => sandbox.close())

  const load = async (source: string, imports: Record<string, string> = {}): Promise<string> => {
    const loaded = await sandbox.load({ source, imports }, { timeoutMs: patience })
    if (!loaded.ok) throw new Error(`${loaded.reason}: ${loaded.message}`)
    return loaded.hash
  }

  const run = async (
    source: string,
    options: SandboxCallOptions & { input?: unknown } = {},
  ): Promise<SandboxOutcome> => {
    const { input = {}, ...rest } = options
    return sandbox.call(await load(source), JSON.stringify(input), rest)
  }

  const valueOf = (outcome: SandboxOutcome): unknown => {
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`)
    return JSON.parse(outcome.json)
  }

  describe('a call', () => {
    test('gives what the default export gives for the input', async () => {
      const outcome = await run('export default async ({ a, b }) => ({ sum: a + b })', {
        input: { a: 2, b: 3 },
      })
      expect(outcome).toMatchObject({ ok: true, json: '{"sum":5}', droppedLogs: 0, logs: [] })
      expect(outcome.durationMs).toBeGreaterThan(0)
    })

    test('gives null for a function that gives nothing', async () => {
      expect(valueOf(await run('export default () => {}'))).toBeNull()
    })

    test('finds the module as it was right after loading', async () => {
      const hash = await load(`
        let count = 0
        globalThis.list = []
        export default () => { list.push(1); Array.prototype.mine ??= 0; Array.prototype.mine += 1
          count += 1; return [count, list.length, [].mine] }`)
      const outcomes = [await sandbox.call(hash, '{}'), await sandbox.call(hash, '{}')]
      expect(outcomes.map(valueOf)).toEqual([
        [1, 1, 1],
        [1, 1, 1],
      ])
    })

    test('draws other random numbers than the call before', async () => {
      const hash = await load(
        'const atLoad = Math.random(); export default () => [atLoad, Math.random(), Math.random()]',
      )
      const drawn = await Promise.all(
        Array.from({ length: 8 }, async () => valueOf(await sandbox.call(hash, '{}')) as number[]),
      )
      expect(new Set(drawn.map(([, first]) => first)).size).toBe(8)
      for (const [, first = 0, second = 0] of drawn) {
        expect(first).not.toBe(second)
        expect(Math.min(first, second)).toBeGreaterThanOrEqual(0)
        expect(Math.max(first, second)).toBeLessThan(1)
      }
    })

    test('lives in UTC and has the time of the machine', async () => {
      const found = valueOf(
        await run('export default () => [new Date().getTimezoneOffset(), Date.now()]'),
      ) as number[]
      expect(found[0]).toBe(0)
      expect(Math.abs((found[1] ?? 0) - Date.now())).toBeLessThan(10_000)
    })

    test('keeps what it logs, with its level', async () => {
      const { logs } = await run(
        `export default (_, ctx) => { ctx.log('warn', 'one'); ctx.log('info', 'zwö') }`,
      )
      expect(logs).toEqual([
        { level: 'warn', message: 'one' },
        { level: 'info', message: 'zwö' },
      ])
    })

    test('knows what it is told about itself, and nobody else does', async () => {
      const source = 'export default (_, ctx) => ctx.call'
      expect(valueOf(await run(source, { call: { id: 'c1' } }))).toEqual({ id: 'c1' })
      expect(valueOf(await run(source))).toEqual({})
    })

    test('carries texts of every kind in both directions', async () => {
      const input = { text: 'ä\u0000\u2028😀\\"'.repeat(2000), [`__proto__`]: 1 }
      expect(valueOf(await run('export default (input) => input', { input }))).toEqual(input)
    })

    test('refuses an input that is no JSON', async () => {
      const hash = await load('export default () => 1')
      await expect(sandbox.call(hash, '{')).rejects.toMatchObject({
        code: 'SANDBOX_ARGUMENT_INVALID',
      })
    })
  })

  describe('loading', () => {
    test('names a module by the hash of its source and imports', async () => {
      const module = { source: 'export default () => 2', imports: { b: '', a: 'export {}' } }
      const loaded = await sandbox.load(module)
      expect(loaded).toMatchObject({ ok: true, hash: await contentHash(module) })
    })

    test('takes imports from the map, also of imports', async () => {
      const hash = await load(`import { two } from 'toolcrib:lib/a@1'; export default () => two`, {
        'toolcrib:lib/a@1': `import { one } from './b'; export const two = one + 1`,
        './b': 'export const one = 1',
      })
      expect(valueOf(await sandbox.call(hash, '{}'))).toBe(2)
    })

    test.for([
      ['what is not in the map', `import 'node:fs'; export default () => 1`],
      ['itself', `import './tool.js'; export default () => 1`],
      ['itself by the name in its stack traces', `import 'tool.js'; export default () => 1`],
      ['by a name of Object.prototype', `import 'constructor'; export default () => 1`],
    ])('cannot import %s', async ([, source = '']) => {
      expect(await sandbox.load({ source })).toMatchObject({ ok: false, reason: 'load' })
    })

    test('is when imports end: a call gets none, not even what is in the map', async () => {
      const hash = await load(
        `import 'b'
        const tried = async (name) => { try { await import(name); return name } catch { return '' } }
        export default async () => [await tried('b'), await tried('tool.js'), await tried('import:b')]`,
        { b: 'export {}' },
      )
      expect(valueOf(await sandbox.call(hash, '{}'))).toEqual(['', '', ''])
    })

    test.for([
      ['syntax', 'const a = 1\nconst = 2', { line: 2 }],
      ['a top level that throws', '\n\nthrow new RangeError("no")', { line: 3 }],
      ['no default export', 'export const a = 1', undefined],
      ['a default export that is no function', 'export default {}', undefined],
      ['a top level that waits for ever', 'await new Promise(() => {})', undefined],
      ['a top level that asks the host', 'setTimeout(() => {}, 1); export default () => 1', {}],
    ] as const)('says what is wrong: %s', async ([, source, position]) => {
      const loaded = await sandbox.load({ source })
      expect(loaded).toMatchObject({ ok: false, reason: 'load' })
      if (position !== undefined) expect(loaded).toMatchObject({ position })
    })

    test('names the module in which an error is', async () => {
      const loaded = await sandbox.load({
        source: `import 'lib'; export default () => 1`,
        imports: { lib: '\nnull.x' },
      })
      expect(loaded).toMatchObject({ ok: false, position: { module: 'lib', line: 2 } })
    })

    test('stops a top level that does not end', async () => {
      const loaded = await sandbox.load({ source: 'for (;;) {}' }, { timeoutMs: 100 })
      expect(loaded).toMatchObject({ ok: false, reason: 'timeout' })
    })

    test('stops a top level that nothing interrupts', async () => {
      const source = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
      const loaded = await sandbox.load({ source }, { timeoutMs: 100 })
      expect(loaded).toMatchObject({ ok: false, reason: 'timeout' })
    })

    test('stops a top level that takes too much memory', async () => {
      const source =
        'const a = []; for (;;) a.push(new Array(1000).fill(0)); export default () => a'
      expect(
        await sandbox.load({ source }, { memoryBytes: 2 ** 21, timeoutMs: patience }),
      ).toMatchObject({ ok: false, reason: 'memory' })
    })

    test('is needed before a call', async () => {
      const outcome = await sandbox.call('0'.repeat(64), '{}')
      expect(outcome).toMatchObject({ ok: false, reason: 'load' })
    })

    test('is forgotten when it is told to', async () => {
      const hash = await load('export default () => "soon forgotten"')
      sandbox.unload(hash)
      expect(await sandbox.call(hash, '{}')).toMatchObject({ ok: false, reason: 'load' })
    })
  })

  describe('an error', () => {
    test('has its name, its message and its place', async () => {
      expect(
        await run('const f = () => { throw new TypeError("bad") }\nexport default () => f()'),
      ).toMatchObject({
        ok: false,
        reason: 'guest-error',
        message: 'bad',
        errorName: 'TypeError',
        position: { line: 1 },
      })
    })

    test('has a bounded message and no place of this machine', async () => {
      const outcome = await run('export default () => { throw new Error("A".repeat(1e7)) }')
      expect(outcome).toMatchObject({ ok: false, reason: 'guest-error' })
      if (!outcome.ok) expect(outcome.message.length).toBeLessThanOrEqual(4096)
      expect(JSON.stringify(outcome)).not.toMatch(/file:|node:|\/src\//)
    })

    test.for([
      ['a BigInt', 'export default () => 1n'],
      ['a function', 'export default () => () => 1'],
      ['a cycle', 'export default () => { const a = {}; a.a = a; return a }'],
      ['a toJSON that throws', 'export default () => ({ toJSON() { throw new Error("x") } })'],
      [
        'a proxy that was revoked',
        'export default () => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy }',
      ],
    ])('is what a result is that holds %s', async ([, source = '']) => {
      expect(await run(source)).toMatchObject({ ok: false, reason: 'guest-error' })
    })

    test('may be anything that can be thrown', async () => {
      const hash = await load(`export default ({ k }) => { throw [null, undefined, Symbol('x'),
        { get name() { throw 1 }, get message() { throw 2 }, get stack() { throw 3 } },
        new Proxy(function () {}, { get() { throw 4 }, getPrototypeOf() { throw 5 } })][k] }`)
      for (let k = 0; k < 5; k += 1)
        // oxlint-disable-next-line no-await-in-loop -- one after another is enough
        expect(await sandbox.call(hash, JSON.stringify({ k }))).toMatchObject({
          ok: false,
          reason: 'guest-error',
        })
    })

    test('that looks like a violation is none', async () => {
      const outcome = await run(
        `export default async (_, ctx) => {
          const e = new Error('x'); e.code = 'POLICY_VIOLATION'; e.name = 'ToolPolicyViolation'
          e[Symbol.for('toolcrib.ToolError')] = true; throw e }`,
      )
      expect(outcome).toMatchObject({ ok: false, reason: 'guest-error', violations: [] })
    })
  })

  describe('the host', () => {
    const operations: HostOperations = {
      echo: (argument) => argument,
      'secrets.ref': async (argument) => argument,
      'tools.call': () => {
        throw new ToolError('POLICY_VIOLATION', 'not this one')
      },
      'fs.exists': () => {
        throw Object.assign(new Error('disk on fire'), { code: 'EIO' })
      },
    }

    test('answers what it is asked, and it is on record', async () => {
      const outcome = await run(
        `export default async (_, ctx) => [await ctx.secrets.ref('k'), await ctx.sleep(1)]`,
        { operations },
      )
      expect(valueOf(outcome)).toEqual([{ name: 'k' }, null])
      expect(outcome.hostCalls).toMatchObject([
        { operation: 'secrets.ref', outcome: 'done' },
        { operation: 'sleep', outcome: 'done' },
      ])
    })

    test('says what it does not offer', async () => {
      const source = `export default (_, ctx) => ctx.fs.readText('a').catch((e) => [e.code, e.message])`
      const [code, message] = valueOf(await run(source, { operations })) as string[]
      expect(code).toBe('OPERATION_UNKNOWN')
      expect(message).toContain('fs.readText')
    })

    test('gives its errors with message and code, and keeps violations, also caught ones', async () => {
      const outcome = await run(
        `const facts = (e) => [e instanceof Error, e.code, e.message]
        export default async (_, ctx) => [await ctx.tools.call('a', {}).catch(facts),
          await ctx.fs.exists('a').catch(facts)]`,
        { operations },
      )
      expect(valueOf(outcome)).toEqual([
        [true, 'POLICY_VIOLATION', 'not this one'],
        [true, 'EIO', 'disk on fire'],
      ])
      expect(outcome.violations).toHaveLength(1)
      expect(ToolError.is(outcome.violations[0], 'POLICY_VIOLATION')).toBe(true)
      expect(outcome.hostCalls.map((call) => call.outcome)).toEqual(['violation', 'failed'])
    })

    test('still answers when the guest has replaced every built-in', async () => {
      const source = `
        const sabotage = () => { throw new Error('sabotage') }
        const { defineProperty } = Object, { ownKeys } = Reflect
        const holders = [JSON, Reflect, Object, Promise, Promise.prototype, Array.prototype, String.prototype,
          Function.prototype, Math, Number, Error]
        for (let h = 0; h < holders.length; h += 1) {
          const keys = ownKeys(holders[h])
          for (let k = 0; k < keys.length; k += 1)
            try {
              if (keys[k] !== 'constructor' && typeof holders[h][keys[k]] === 'function') defineProperty(holders[h], keys[k], { value: sabotage })
            } catch {}
        }
        export default async (input, ctx) => { const got = await ctx.secrets.ref('k'); return { got, input } }`
      expect(valueOf(await run(source, { operations, input: { a: 1 } }))).toEqual({
        got: { name: 'k' },
        input: { a: 1 },
      })
    })

    test('lends no function of its inside through stack traces', async () => {
      const source = `export default (_, ctx) => { const seen = []
        Error.prepareStackTrace = (e, sites) => { seen.push(...sites.map((s) => s.getFunction?.())); return '' }
        const spy = { toString() { new Error('x').stack; return 'a' }, toJSON() { void new Error('y').stack; return 1 } }
        try { ctx.log('info', spy) } catch {} ; try { ctx.tools.call('x', { spy }).catch(() => {}) } catch {}
        return seen.length }`
      expect(valueOf(await run(source, { operations }))).toBe(0)
    })

    test('learns nothing once the call is over, and drops what comes late', async () => {
      const asked: AbortSignal[] = []
      const late = Promise.withResolvers<string>()
      const outcome = await run(
        `export default (_, ctx) => { ctx.secrets.ref('k').then(() => ctx.tools.call('late', {})); return 1 }`,
        {
          operations: {
            'secrets.ref': (_argument, { signal }) => {
              asked.push(signal)
              return late.promise
            },
            'tools.call': () => {
              throw new Error('nobody may get here')
            },
          },
        },
      )
      expect(valueOf(outcome)).toBe(1)
      late.resolve('x')
      await new Promise((resolve) => setTimeout(resolve, 20))
      // Whether the operation had begun is a race; where it had, it was told that nobody waits.
      for (const signal of asked) expect(signal.aborted).toBe(true)
    })
  })

  test('the version is in the fingerprint, and the mode is said', () => {
    expect(sandbox.engine).toMatchObject({
      name: mode === 'isolate' ? 'v8 (isolated-vm)' : 'quickjs-ng',
      mode,
    })
    expect(sandbox.engine.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(sandbox.engine.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  })
}
