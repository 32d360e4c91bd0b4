import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOutcome } from '../src/index.ts'
import { describeContract } from './contract.ts'
import { findGuestProcess, findGuestProcesses } from './guest-process.ts'
import { isIsolateThere } from './isolate-presence.ts'
import { describeLimits } from './limits.ts'

const patience = { timeout: 15_000, interval: 50 }
const index = JSON.stringify(new URL('../src/index.ts', import.meta.url).href)

const runProgram = (program: string): ReturnType<typeof spawn> =>
  spawn(process.execPath, ['--conditions=@toolcrib/source', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

const outputOf = async (child: ReturnType<typeof spawn>): Promise<string> => {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  return output
}

test('mode isolate says what it needs on a Node.js that has no isolated-vm', async () => {
  const child = runProgram(`
    Object.defineProperty(process.versions, 'node', { value: '22.13.0' })
    const { createSandbox } = await import(${index})
    try { createSandbox({ mode: 'isolate' }) } catch (error) { console.log(error.code, error.message) }`)
  const output = await outputOf(child)
  expect(output).toMatch(
    /^SANDBOX_UNAVAILABLE .*22\.13\.0.*install isolated-vm 7.*Node\.js 24 or 26/,
  )
})

// oxlint-disable vitest/no-conditional-tests -- where isolated-vm does not run, that has to be said
if (isIsolateThere()) {
  describe('in isolates', () => {
    describeContract('isolate')
    describeLimits('isolate')
  })

  describe('an isolate', () => {
    let sandbox: Sandbox

    beforeAll(() => {
      sandbox = createSandbox({ mode: 'isolate', maxWorkers: 1 })
    })

    afterAll(() => sandbox.close())

    const run = async (source: string, timeoutMs = 20_000): Promise<SandboxOutcome> => {
      const loaded = await sandbox.load({ source }, { timeoutMs: 20_000 })
      if (!loaded.ok) throw new Error(loaded.message)
      return sandbox.call(loaded.hash, '{}', { timeoutMs })
    }

    test('has no global that the other modes lack, and the same of the shims', async () => {
      const source = 'export default () => Reflect.ownKeys(globalThis).map(String)'
      const other = createSandbox({ maxWorkers: 1 })
      const { hash } = await other.load({ source }, { timeoutMs: 20_000 })
      const there = await other.call(hash, '{}')
      await other.close()
      const here = await run(source)
      if (!there.ok || !here.ok) throw new Error('There is no answer')
      const names = JSON.parse(here.json) as string[]
      const otherNames = JSON.parse(there.json) as string[]
      expect(names.filter((name) => !otherNames.includes(name))).toEqual([])
      const missing = otherNames.filter((name) => !names.includes(name))
      expect(missing.toSorted()).toEqual([
        'InternalError',
        'SharedArrayBuffer',
        'Symbol(Symbol.toStringTag)',
        'fetch',
      ])
    })

    test('gives no object of the host to a guest, not by errors of the host either', async () => {
      const source = `
        const reach = (value) => { try { return value.constructor.constructor('return typeof process')() } catch { return 'undefined' } }
        export default async (_, ctx) => {
          const found = [reach(ctx), reach(ctx.log), reach(globalThis)]
          for (const attempt of [() => new URL('no'), () => crypto.getRandomValues(new Uint8Array(70000)),
            () => new URL('a'.repeat(1e5)), () => ctx.fs.readText('x'), () => import('node:fs')])
            try { await attempt() } catch (error) { found.push(reach(error), /file:|node_modules|boundary/.test(error.stack)) }
          return found }`
      const outcome = await run(source)
      if (!outcome.ok) throw new Error(outcome.message)
      const found = JSON.parse(outcome.json) as unknown[]
      expect(found).toHaveLength(13)
      expect(new Set(found)).toEqual(new Set(['undefined', false]))
    })

    test('says how requests are made to whoever calls fetch', async () => {
      expect(await run('export default () => fetch("https://a.test/")')).toMatchObject({
        reason: 'guest-error',
        message: expect.stringContaining('ctx.http.request') as string,
      })
    })

    test('that V8 ends with its process has filled its memory', async () => {
      const source = 'export default async (_, ctx) => { await ctx.secrets.ref("k"); for (;;) {} }'
      const { hash } = await sandbox.load({ source }, { timeoutMs: 20_000 })
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
      const call = sandbox.call(hash, '{}', { operations: { 'secrets.ref': () => (ask(), 'x') } })
      await asked
      await new Promise((resolve) => setTimeout(resolve, 100))
      process.kill(findGuestProcess(), 'SIGABRT')
      expect(await call).toMatchObject({ ok: false, reason: 'memory' })
      expect(await run('export default () => 1')).toMatchObject({ ok: true })
    })

    test('that never ends is gone when the program that started it was killed', async () => {
      const child = runProgram(`import { createSandbox } from ${index}
        const sandbox = createSandbox({ mode: 'isolate' })
        const { hash } = await sandbox.load(
          { source: 'export default () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)' }, { timeoutMs: 20000 })
        void sandbox.call(hash, '{}', { timeoutMs: 600000 })
        console.log('begun')`)
      await new Promise((resolve) => child.stdout?.once('data', resolve))
      const [guest = 0] = findGuestProcesses(child.pid)
      expect(guest).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await vi.waitFor(() => expect(() => process.kill(guest, 0)).toThrowError('ESRCH'), patience)
    })

    test('has a process that may read this package and the addon, and nothing else', async () => {
      await run('export default () => 1')
      const folder = `/proc/${findGuestProcess()}`
      if (!existsSync(folder)) return
      const args = readFileSync(`${folder}/cmdline`, 'utf8').split('\0')
      expect(args[1]).toBe('--permission')
      for (const arg of args.filter((each) => each.startsWith('--allow-')))
        expect(arg).toMatch(/^--allow-(fs-read=.*(sandbox|isolated-vm.*\.node).*|worker|addons)$/)
      expect(readFileSync(`${folder}/environ`, 'utf8')).toBe('')
      const files = readdirSync(`${folder}/fd`).map((name) => readlinkSync(`${folder}/fd/${name}`))
      for (const file of files) expect(file).toMatch(/^(socket|pipe|anon_inode):|^\/dev\/null$/)
    })

    test('lives in a process of its own: this one has not loaded the addon', () => {
      const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] }
      expect(sharedObjects.length).toBeGreaterThan(0)
      expect(sharedObjects.filter((path) => path.includes('isolated-vm'))).toEqual([])
    })
  })
} else
  test('without isolated-vm the mode says that it cannot be used', () => {
    expect(() => createSandbox({ mode: 'isolate' })).toThrowError(
      expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' }),
    )
  })
