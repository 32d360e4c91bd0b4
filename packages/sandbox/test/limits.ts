import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSandbox,
  type Sandbox,
  type SandboxCallOptions,
  type SandboxMode,
  type SandboxOutcome,
} from '../src/index.ts'

const patience = 20_000

/** What ends a guest, in every mode. */
export function describeLimits(mode: SandboxMode): void {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = createSandbox({ mode })
    await sandbox.load({ source: 'export default () => 0' }, { timeoutMs: patience })
  })

  afterAll(() => sandbox.close())

  const run = async (source: string, options: SandboxCallOptions = {}): Promise<SandboxOutcome> => {
    const loaded = await sandbox.load({ source }, { timeoutMs: patience })
    if (!loaded.ok) throw new Error(loaded.message)
    return sandbox.call(loaded.hash, '{}', { timeoutMs: patience, ...options })
  }

  describe('a guest is ended', () => {
    test.for([
      ['a loop', 'for (;;) {}'],
      ['a loop of awaits', 'return (async () => { for (;;) await null })()'],
      ['a loop in a getter of its result', 'return { get a() { for (;;) {} } }'],
      ['a thenable that gives itself', 'const t = { then(r) { r(t) } }; return t'],
      [
        'a catch around the interrupt',
        'for (;;) try { for (;;) {} } catch {} finally { for (;;) {} }',
      ],
      ['a wait that is too long', 'return ctx.sleep(60000)'],
      [
        'a timer that sets itself',
        'const f = () => setTimeout(f, 0); f(); return new Promise(() => {})',
      ],
      [
        'jobs that make jobs',
        'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); return new Promise(() => {})',
      ],
    ])('at its deadline: %s', async ([, body = '']) => {
      const startedAt = performance.now()
      const outcome = await run(`export default (_, ctx) => { ${body} }`, { timeoutMs: 150 })
      expect(outcome).toMatchObject({ ok: false, reason: 'timeout' })
      expect(performance.now() - startedAt).toBeLessThan(patience)
    })

    test('with its worker, where it cannot be interrupted, and the next call finds another', async () => {
      const source = 'export default () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
      expect(await run(source, { timeoutMs: 100 })).toMatchObject({ ok: false, reason: 'timeout' })
      expect(await run('export default () => 1')).toMatchObject({ ok: true, json: '1' })
    })

    test('when it has computed for long enough; waiting is no computing', async () => {
      const spin = 'export default () => { for (;;) {} }'
      expect(await run(spin, { cpuMs: 50 })).toMatchObject({ ok: false, reason: 'cpu-limit' })
      const wait = await run('export default (_, ctx) => ctx.sleep(400)', { cpuMs: 350 })
      expect(wait).toMatchObject({ ok: true })
      expect(wait.cpuMs).toBeLessThan(350)
    })

    test.for([
      ['objects', 'const a = []; for (;;) a.push({ a })'],
      ['a text', 'let t = "x"; for (;;) t += t'],
      ['a buffer', 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))'],
      ['promises of operations', 'const a = []; for (;;) a.push(ctx.sleep(1e6))'],
    ])('when its memory is full of %s', async ([, body = '']) => {
      const outcome = await run(`export default (_, ctx) => { ${body} }`, {
        memoryBytes: 4 * 2 ** 20,
        maxHostCalls: 1_000_000,
      })
      expect(outcome).toMatchObject({ ok: false, reason: 'memory' })
    })

    test('never for the memory that it may have', async () => {
      // V8 takes no limit below 8 MiB.
      const unit = (mode === 'isolate' ? 4 : 1) * 2 ** 20
      const source = `export default () => new Uint8Array(${3 * unit}).length`
      expect(await run(source, { memoryBytes: 2 * unit })).toMatchObject({ reason: 'memory' })
      expect(await run(source, { memoryBytes: 5 * unit })).toMatchObject({ ok: true })
    })

    // What V8 reads and writes without recursion fills no stack.
    const deep: [string, string][] =
      mode === 'isolate'
        ? []
        : [
            ['JSON', 'return JSON.parse("[".repeat(1e6))'],
            ['its result', 'let o = {}; for (let i = 0; i < 2e4; i += 1) o = { o }; return o'],
          ]
    test.for([
      ['calls', 'const f = () => f() + 1; return f()'],
      ['nested arrays', 'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return String(a)'],
      ['source', 'return eval("(".repeat(1e5))'],
      ...deep,
    ])('when its stack is full of %s', async ([, body = '']) => {
      const outcome = await run(`export default () => { ${body} }`)
      expect(outcome).toMatchObject({ ok: false, reason: 'stack' })
    })

    test('at once when it waits for what can never come', async () => {
      const startedAt = performance.now()
      const outcome = await run('export default () => new Promise(() => {})')
      expect(outcome).toMatchObject({ ok: false, reason: 'stalled' })
      expect(performance.now() - startedAt).toBeLessThan(patience)
    })

    test('with its first operation too many, each time', async () => {
      const source = (count: number): string =>
        `export default async (_, ctx) => { for (let i = 0; i < ${count}; i += 1)
          await (i % 2 ? ctx.sleep(0) : ctx.secrets.ref('k')) }`
      const options = { maxHostCalls: 6, operations: { 'secrets.ref': () => 'x' } }
      const enough = await run(source(6), options)
      expect(enough).toMatchObject({ ok: true })
      expect(enough.hostCalls).toHaveLength(6)
      expect(await run(source(7), options)).toMatchObject({ ok: false, reason: 'host-call-limit' })
    })

    test('before a million operations reach the host', async () => {
      let asked = 0
      const outcome = await run(
        `export default (_, ctx) => { for (let i = 0; i < 1e6; i += 1) ctx.secrets.ref('k').catch(() => {}) }`,
        {
          operations: {
            'secrets.ref': () => {
              asked += 1
              return 'x'
            },
          },
        },
      )
      expect(outcome).toMatchObject({ ok: false, reason: 'host-call-limit' })
      expect(asked).toBeLessThanOrEqual(1000)
    })

    test('when its result is too large', async () => {
      const source = (length: number): string => `export default () => "ä".repeat(${length})`
      expect(await run(source(49), { maxOutputBytes: 100 })).toMatchObject({ ok: true })
      expect(await run(source(50), { maxOutputBytes: 100 })).toMatchObject({
        ok: false,
        reason: 'output-limit',
      })
    })
  })

  describe('what a guest asks for is bounded', () => {
    const attempt = (argument: string): string =>
      `export default (_, ctx) => ctx.secrets.ref(${argument}).then(() => 'done', (e) => e.code)`
    const operations = { 'secrets.ref': () => 'x' }

    test('in the size of an argument', async () => {
      // {"name":"…"} has 11 bytes beside the name.
      const options = { operations, maxArgumentBytes: 100 }
      expect(await run(attempt('"a".repeat(89)'), options)).toMatchObject({ json: '"done"' })
      expect(await run(attempt('"a".repeat(90)'), options)).toMatchObject({
        json: '"ARGUMENT_TOO_LARGE"',
      })
    })

    test('in the size of a result', async () => {
      const results = { 'secrets.ref': () => 'x'.repeat(2 ** 20) }
      expect(
        await run(attempt('"a"'), { operations: results, memoryBytes: 2 * 2 ** 20 }),
      ).toMatchObject({ json: '"RESULT_TOO_LARGE"' })
      expect(
        await run(attempt('"a"'), { operations: results, memoryBytes: 8 * 2 ** 20 }),
      ).toMatchObject({ json: '"done"' })
    })

    test('in how many run at once', async () => {
      let running = 0
      let most = 0
      const outcome = await run(
        `export default async (_, ctx) => (await Promise.all(Array.from({ length: 20 }, (_, i) => ctx.secrets.ref('' + i)))).length`,
        {
          maxConcurrentHostCalls: 3,
          operations: {
            'secrets.ref': async () => {
              running += 1
              most = Math.max(most, running)
              await new Promise((resolve) => setTimeout(resolve, 2))
              running -= 1
              return 'x'
            },
          },
        },
      )
      expect(outcome).toMatchObject({ ok: true, json: '20' })
      expect(most).toBe(3)
    })

    test('in what it logs with half characters, which take more bytes than they seem to', async () => {
      const outcome = await run(
        `export default () => { for (let i = 0; i < 4; i += 1) console.log('\\ud800'.repeat(8000)); return 1 }`,
      )
      expect(outcome).toMatchObject({ ok: true, droppedLogs: 2 })
    })

    test('in what it logs', async () => {
      const outcome = await run(
        `export default (_, ctx) => { for (let i = 0; i < 10; i += 1) ctx.log('info', 'a'.repeat(10)) }`,
        { maxLogBytes: 30 },
      )
      expect(outcome.logs).toHaveLength(3)
      expect(outcome.droppedLogs).toBe(7)
    })
  })

  describe('a caller', () => {
    test.for([
      ['computes', 'for (;;) {}'],
      ['sleeps', 'return ctx.sleep(60000)'],
    ])(
      'gets its answer at once when its signal aborts while the guest %s',
      async ([, body = '']) => {
        const source = `export default (_, ctx) => { ctx.log('info', 'begun'); ${body} }`
        const { hash } = await sandbox.load({ source }, { timeoutMs: patience })
        const controller = new AbortController()
        const call = sandbox.call(hash, '{}', { signal: controller.signal, timeoutMs: patience })
        setTimeout(() => controller.abort(), 50)
        expect(await call).toMatchObject({ ok: false, reason: 'aborted' })
        expect(await run('export default () => 1')).toMatchObject({ ok: true })
      },
    )

    test('has its operations told when its signal aborts', async () => {
      const controller = new AbortController()
      const told = Promise.withResolvers<void>()
      const outcome = await run('export default (_, ctx) => ctx.secrets.ref("k")', {
        signal: controller.signal,
        operations: {
          'secrets.ref': (_argument, { signal }) => {
            signal.addEventListener('abort', () => told.resolve())
            controller.abort()
            return new Promise(() => undefined)
          },
        },
      })
      await told.promise
      expect(outcome).toMatchObject({
        ok: false,
        reason: 'aborted',
        hostCalls: [{ operation: 'secrets.ref', outcome: 'unfinished' }],
      })
    })

    test('gets no call begun for a signal that has aborted', async () => {
      const outcome = await run('export default () => 1', { signal: AbortSignal.abort() })
      expect(outcome).toMatchObject({ ok: false, reason: 'aborted' })
    })

    test('is told which limit is out of range', async () => {
      for (const [field, value] of [
        ['timeoutMs', 0],
        ['memoryBytes', 2 ** 21 - 1],
        ['memoryBytes', 2 ** 28 + 1],
        ['maxOutputBytes', 1.5],
        ['maxHostCalls', -1],
        ['cpuMs', Number.NaN],
      ] as const)
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await expect(run('export default () => 1', { [field]: value })).rejects.toMatchObject({
          code: 'SANDBOX_ARGUMENT_INVALID',
          data: { field },
        })
    })
  })

  describe('many calls at once', () => {
    test('all get their own answer, also with few places', async () => {
      const small = createSandbox({ mode, maxWorkers: 1, maxCallsPerWorker: 2 })
      const loaded = await small.load(
        { source: 'export default async (input, ctx) => { await ctx.sleep(1); return input.n }' },
        { timeoutMs: patience },
      )
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => small.call(loaded.hash, JSON.stringify({ n }))),
      )
      expect(outcomes.map((outcome) => outcome.ok && outcome.json)).toEqual(
        Array.from({ length: 40 }, (_, n) => String(n)),
      )
      await small.close()
    })

    test('may wait up to a number; what waits can time out and be aborted', async () => {
      const small = createSandbox({ mode, maxWorkers: 1, maxCallsPerWorker: 1, maxWaitingCalls: 2 })
      const { hash } = await small.load(
        { source: 'export default async (_, ctx) => { await ctx.sleep(300) }' },
        { timeoutMs: patience },
      )
      const first = small.call(hash, '{}')
      const controller = new AbortController()
      const waiting = [
        small.call(hash, '{}', { timeoutMs: 100 }),
        small.call(hash, '{}', { signal: controller.signal }),
      ]
      expect(await small.call(hash, '{}')).toMatchObject({ ok: false, reason: 'busy' })
      controller.abort()
      expect(await Promise.all(waiting)).toMatchObject([
        { ok: false, reason: 'timeout' },
        { ok: false, reason: 'aborted' },
      ])
      expect(await first).toMatchObject({ ok: true })
      await small.close()
    })

    test('end as closed when the sandbox is closed, and later ones too', async () => {
      const small = createSandbox({ mode, maxWorkers: 1, maxCallsPerWorker: 1 })
      const { hash } = await small.load(
        { source: 'export default () => { for (;;) {} }' },
        { timeoutMs: patience },
      )
      const calls = [small.call(hash, '{}'), small.call(hash, '{}')]
      await new Promise((resolve) => setTimeout(resolve, 50))
      await small.close()
      expect(await Promise.all([...calls, small.call(hash, '{}')])).toMatchObject(
        Array.from({ length: 3 }, () => ({ ok: false, reason: 'closed' })),
      )
    })

    test('forget modules that were not used for longest', async () => {
      const small = createSandbox({ mode, maxModules: 2 })
      const load = async (n: number): Promise<string> =>
        (await small.load({ source: `export default () => ${n}` }, { timeoutMs: patience })).hash
      const [one, two] = [await load(1), await load(2)]
      await small.call(one, '{}')
      const three = await load(3)
      expect(await small.call(two, '{}')).toMatchObject({ ok: false, reason: 'load' })
      for (const hash of [one, three])
        // oxlint-disable-next-line no-await-in-loop -- one after another
        expect(await small.call(hash, '{}')).toMatchObject({ ok: true })
      await small.close()
    })
  })
}
