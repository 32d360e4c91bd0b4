import { join } from 'node:path'
import type { Principal } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import { type ApprovalSigner, createApprover, unlockSigner } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ServedHost, serveHost } from '../src/host/serve-host.ts'
import { runInProcess } from './command-in-process.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

/** The engine as the next start of a host has it. */
const engine = vi.hoisted(() => ({ edition: 'first', makesOf: (json: string): string => json }))

// Another engine is what an update of the package brings; here it is the same one that says otherwise, and may act otherwise.
vi.mock(import('@toolcrib/sandbox'), async (importOriginal) => {
  const original = await importOriginal()
  const createSandbox: typeof original.createSandbox = (options) => {
    const { edition, makesOf } = engine
    const sandbox = original.createSandbox(options)
    return {
      get engine() {
        const facts = sandbox.engine
        return { ...facts, fingerprint: `${facts.fingerprint} ${edition}` }
      },
      load: (module, limits) => sandbox.load(module, limits),
      call: async (...parameters: Parameters<Sandbox['call']>) => {
        const outcome = await sandbox.call(...parameters)
        return outcome.ok ? { ...outcome, json: makesOf(outcome.json) } : outcome
      },
      unload: (hash) => sandbox.unload(hash),
      close: () => sandbox.close(),
    }
  }
  return { ...original, createSandbox }
})

const agent: Principal = { kind: 'agent', id: 'ada' }
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
const names = ['say_milk', 'say_bread'] as const
let host: ServedHost
let signer: ApprovalSigner

async function start(edition: string, makesOf = (json: string): string => json): Promise<void> {
  await host?.close()
  Object.assign(engine, { edition, makesOf })
  host = await serveHost({ data, environment: {} })
}

async function outputOf(name: string): Promise<unknown> {
  const result = await host.kernel.invoker.invoke(name, {}, { principal: agent })
  return result.success ? result.output : result.errorCode
}

const typesOf = async (name: string): Promise<readonly (string | undefined)[]> =>
  (await host.kernel.toolsmaker.history(name)).map(({ event }) => event?.type)

beforeAll(async () => {
  await createApprover(join(data, 'trust'), { id: 'alice', passphrase: 'correct horse battery' })
  signer = await unlockSigner(join(data, 'trust'), {
    id: 'alice',
    passphrase: 'correct horse battery',
  })
  await start('first')
  const { toolsmaker } = host.kernel
  for (const name of names) {
    const word = name.slice('say_'.length)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status } = await toolsmaker.forAgent(agent).buildToolFromIntent({
      name,
      purpose: 'Says a word that stands on the list for the shop',
      inputs: { type: 'object' },
      kind: 'code',
      definition: {
        language: 'typescript',
        form: 'function',
        source: `export default () => '${word}'`,
      },
      examples: [{ input: {}, expected: word }],
    })
    if (status !== 'approval_required') throw new Error(`${name} is ${status}`)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await toolsmaker.approveTool(name, 1, { signer })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await toolsmaker.activateToolVersion(name, 1, { signer })
  }
})
afterAll(async () => {
  await host?.close()
  folder.remove()
})

test('another engine under which tools behave as before is noted once per tool, and nothing else changes', async () => {
  await start('second')
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- two of them
    expect(await typesOf(name)).toContain('tool_evidence_repeated')
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await outputOf(name)).toBe(name.slice('say_'.length))
  }
  const { stdout, exitCode } = await runInProcess(data, ['doctor'])
  expect(stdout).not.toMatch(/does not run/)
  expect(exitCode, stdout).toBe(0)
  await start('second')
  const noted = (await typesOf('say_milk')).filter((type) => type === 'tool_evidence_repeated')
  expect(noted).toHaveLength(1)
})

test('a tool that behaves differently under another engine is held, said everywhere, until somebody activates it again', async () => {
  await start('third', (json) => json.replace('milk', 'oat milk'))
  expect(await outputOf('say_bread')).toBe('bread')
  expect(await outputOf('say_milk')).toBe('TOOL_NOT_FOUND')
  const versions = await runInProcess(data, ['versions', 'say_milk'])
  expect(versions.stdout).toMatch(/say_milk@1 +deactivated .*its kind changed/)
  const doctor = await runInProcess(data, ['doctor'])
  expect(doctor.stdout).toMatch(
    /✘ say_milk v1 is approved and does not run: its kind changed.*See: .*approvals show say_milk@1/,
  )
  expect(doctor.stdout).not.toMatch(/say_bread/)
  expect(doctor.exitCode).toBe(1)
  const called = await runInProcess(data, ['tools', 'call', 'say_milk', '{}'])
  expect(called.stderr).toMatch(/say_milk is not in use; v1 is deactivated: its kind changed/)
  const { stdout } = await runInProcess(data, ['approvals', 'show', 'say_milk@1'])
  expect(stdout).toMatch(/HELD: [^]*got "oat milk"[^]*before it gave "milk"/)
  expect(stdout).toMatch(/now: .*oat milk/)
  for (const text of [versions.stdout, doctor.stdout, called.stderr, stdout])
    expect(text).not.toMatch(/[^.]\.\.(?!\.)/)
  // The same engine, once more: it stays held without being asked again, and a signature lifts it.
  await host.kernel.toolsmaker.activateToolVersion('say_milk', 1, { signer })
  expect(await outputOf('say_milk')).toBe('oat milk')
  await start('third', (json) => json.replace('milk', 'oat milk'))
  expect(await outputOf('say_milk')).toBe('oat milk')
  expect((await runInProcess(data, ['doctor'])).stdout).not.toMatch(/does not run/)
})

test('with code tools switched off, doctor names those that are approved and do not run', async () => {
  await host.close()
  host = await serveHost({ data, environment: {}, builtInTools: { code: { enabled: false } } })
  const { stdout } = await runInProcess(data, ['doctor'])
  expect(stdout).toMatch(/✔ Code tools are off: code\.enabled is false/)
  for (const name of names)
    expect(stdout).toMatch(
      new RegExp(`✘ ${name} v1 is approved and does not run: there is no kind code`),
    )
  const listed = await runInProcess(data, ['tools', 'list'])
  expect(listed.stdout).not.toMatch(/say_milk/)
  const called = await runInProcess(data, ['tools', 'call', 'say_milk', '{}'])
  expect(called.stderr).toMatch(/say_milk is not in use; v1 is activated: .*kind code/)
})
