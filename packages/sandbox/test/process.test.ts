import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'
import { describeContract } from './contract.ts'
import { findGuestProcess } from './guest-process.ts'
import { describeLimits } from './limits.ts'
import { describeOrphans } from './orphans.ts'

describe('in processes', () => {
  describeContract('process')
  describeLimits('process')
})

describe('a process of the sandbox', () => {
  let sandbox: Sandbox
  let hash: string

  beforeAll(async () => {
    sandbox = createSandbox({ mode: 'process', maxWorkers: 1 })
    const loaded = await sandbox.load(
      { source: `export default async (_, ctx) => { await ctx.secrets.ref('k'); return 1 }` },
      { timeoutMs: 20_000 },
    )
    hash = loaded.hash
  })

  afterAll(() => sandbox.close())

  test('that is killed in the middle of a call loses that call only', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const call = sandbox.call(hash, '{}', {
      operations: {
        'secrets.ref': () => {
          ask()
          return new Promise(() => undefined)
        },
      },
    })
    await asked
    process.kill(findGuestProcess(), 'SIGKILL')
    expect(await call).toMatchObject({
      ok: false,
      reason: 'worker-lost',
      hostCalls: [{ outcome: 'unfinished' }],
    })
    const next = await sandbox.call(hash, '{}', { operations: { 'secrets.ref': () => 'x' } })
    expect(next).toMatchObject({ ok: true, json: '1' })
  })

  test('has permission to read this package and nothing else', () => {
    const pid = findGuestProcess()
    const [, ...args] = existsSync(`/proc/${pid}/cmdline`)
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
      : ['', '--permission']
    expect(args[0]).toBe('--permission')
    const allowed = args.filter((arg) => arg.startsWith('--allow-'))
    for (const arg of allowed) expect(arg).toMatch(/^--allow-(fs-read=.*(sandbox|quickjs)|worker$)/)
  })

  test('has no environment and no open file but its channel', () => {
    const folder = `/proc/${findGuestProcess()}`
    if (!existsSync(folder)) return
    expect(readFileSync(`${folder}/environ`, 'utf8')).toBe('')
    const files = readdirSync(`${folder}/fd`).map((name) => readlinkSync(`${folder}/fd/${name}`))
    // Besides its pipes a Node has descriptors that lead to no file of the machine.
    for (const file of files) expect(file).toMatch(/^(socket|pipe|anon_inode):|^\/dev\/null$/)
    expect(files.filter((file) => file.startsWith('socket:')).length).toBeLessThanOrEqual(3)
  })

  test.for(['process', 'worker'] as const)(
    'in mode %s does not keep a program from ending, though nobody closed it',
    async (mode) => {
      const index = new URL('../src/index.ts', import.meta.url).href
      const program = `import { createSandbox } from ${JSON.stringify(index)}
        const sandbox = createSandbox({ mode: '${mode}' })
        const { hash } = await sandbox.load({ source: 'export default () => 7' }, { timeoutMs: 20000 })
        const { json } = await sandbox.call(hash, '{}')
        console.log(json)`
      const child = spawn(
        process.execPath,
        ['--conditions=@toolcrib/source', '--input-type=module', '-e', program],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const code = await new Promise((resolve) => child.on('exit', resolve))
      expect([code, output]).toEqual([0, '7\n'])
    },
  )

  describeOrphans('process')
})
