import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './command-in-process.ts'
import {
  type CommandOutcome,
  makeTemporaryFolder,
  runToolcrib,
  startToolcrib,
  waitForOutput,
} from './run-toolcrib.ts'

const folder = makeTemporaryFolder()
const passphrase = 'correct horse battery'
/** In a process of its own, as a person does. */
const runAlone = (...parameters: string[]): Promise<CommandOutcome> =>
  runToolcrib(folder.path, parameters)
const run = (...parameters: string[]): Promise<CommandOutcome> =>
  runCommand(folder.path, parameters)
const sign = (...parameters: string[]): Promise<CommandOutcome> =>
  runCommand(folder.path, [...parameters, '--passphrase-stdin'], { input: `${passphrase}\n` })
const json = async <Data>(...parameters: string[]): Promise<Data> => {
  const { stdout, stderr } = await run(...parameters, '--json')
  const envelope = JSON.parse(stdout) as { ok: boolean; data: Data }
  expect(envelope.ok, stdout + stderr).toBe(true)
  return envelope.data
}
const hashOf = async (reference: string): Promise<string> =>
  (await json<{ review: { contentHash: string } }>('approvals', 'show', reference)).review
    .contentHash

afterAll(() => folder.remove())

describe('the main job, from the command line', () => {
  test('start shows a made tool, a call, a version that waits and a refused copy', async () => {
    const { stdout, exitCode } = await runAlone('start', '--once')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^✔ shipping_cost v1 {3}\d+ checks, 3 examples {3}sha256 [0-9a-f]{4}…$/m)
    expect(stdout).toMatch(/may touch: nothing {6}approved by: rule compute-safe/)
    expect(stdout).toMatch(
      /shipping_cost\(\{ weight_kg: 12 \}\) → 31\.5 .* started \+ completed logged/,
    )
    expect(stdout).toMatch(
      /● shipping_cost v2 WAITS FOR YOU {6}- base_cost \* 0\.9 {3}\+ base_cost \* 0\.8/,
    )
    expect(stdout).toMatch(/a copy of v1 with one byte changed was refused: tool_tampered/)
  })

  test('the tool is callable after the restart, and the call is logged', async () => {
    const { stdout, exitCode } = await runAlone(
      'tools',
      'call',
      'shipping_cost',
      '{"weight_kg":12}',
    )
    expect(stdout).toBe('31.5\n')
    expect(exitCode).toBe(0)
    const { calls } = await json<{ calls: { toolName: string; status: string }[] }>(
      'log',
      '--tool',
      'shipping_cost',
    )
    expect(calls.map(({ status }) => status)).toEqual(['completed', 'completed'])
  })
})

describe('a host that stays up', () => {
  let host: ReturnType<typeof startToolcrib>

  beforeAll(async () => {
    host = startToolcrib(folder.path, ['start'])
    await waitForOutput(host, /The host runs/)
  })

  test('is reached by other commands over its private socket', async () => {
    const socket = statSync(join(folder.path, '.toolcrib/host.sock'))
    expect(socket.mode & 0o077).toBe(0)
    const findings = await json<{ what: string }[]>('doctor')
    expect(findings.map(({ what }) => what).join('\n')).toContain(`process ${host.pid}`)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).stdout).toBe('31.5\n')
  })

  test('refuses a second host on the same data folder, by name', async () => {
    const second = await runAlone('start')
    expect(second.exitCode).toBe(1)
    expect(second.stderr).toMatch(/FOLDER_LOCKED/)
    expect(second.stderr).toContain(String(host.pid))
  })

  test('a bad input is answered with exit code 1 and the field', async () => {
    const { stderr, exitCode } = await runAlone(
      'tools',
      'call',
      'shipping_cost',
      '{"weight_kg":"12"}',
    )
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/weight_kg.*INPUT_INVALID/)
  })

  test('an approval without an approver, or without the reviewed hash, is refused', async () => {
    const hash = await hashOf('shipping_cost@2')
    const nobody = await sign('approvals', 'approve', 'shipping_cost@2', '--hash', hash)
    expect(nobody.exitCode).toBe(1)
    expect(nobody.stderr).toMatch(/approver init/)
    expect((await sign('approver', 'init', '--id', 'alice')).exitCode).toBe(0)
    const withoutHash = await sign('approvals', 'approve', 'shipping_cost@2')
    expect(withoutHash.exitCode).toBe(2)
    const wrongHash = await sign(
      'approvals',
      'approve',
      'shipping_cost@2',
      '--hash',
      '0'.repeat(64),
    )
    expect(wrongHash.exitCode).not.toBe(0)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).stdout).toBe('31.5\n')
  })

  test('a wrong passphrase approves nothing and exits with 4', async () => {
    const hash = await hashOf('shipping_cost@2')
    const outcome = await runToolcrib(
      folder.path,
      ['approvals', 'approve', 'shipping_cost@2', '--hash', hash, '--passphrase-stdin'],
      { input: 'wrong passphrase\n' },
    )
    expect(outcome.exitCode).toBe(4)
    expect(outcome.stderr).toMatch(/PASSPHRASE_WRONG/)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).stdout).toBe('31.5\n')
  })

  test('a signed version is in use at once; rolling back needs a signature too', async () => {
    const approved = await sign(
      'approvals',
      'approve',
      'shipping_cost@2',
      '--hash',
      await hashOf('shipping_cost@2'),
    )
    expect(approved.stderr + approved.stdout).toMatch(/v2 is approved and in use/)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).stdout).toBe('28\n')
    const back = ['rollback', 'shipping_cost', '--to', '1']
    expect((await sign(...back, '--hash', await hashOf('shipping_cost@1'))).exitCode).toBe(0)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).stdout).toBe('31.5\n')
  })

  test('the kill switch stops made tools at once, and only a signature lets them run again', async () => {
    expect((await run('pause', '--reason', 'looking into prices')).exitCode).toBe(0)
    const stopped = await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')
    expect(stopped.exitCode).toBe(4)
    expect(stopped.stderr).toMatch(/TOOLS_PAUSED/)
    expect((await run('resume')).exitCode).toBe(2)
    expect((await sign('resume')).exitCode).toBe(0)
    expect((await run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')).exitCode).toBe(0)
  })

  test('make proposes a tool from a file and from standard input, and says what is wrong', async () => {
    const intent = {
      name: 'tax_of',
      purpose: 'Says how much tax is due on a net amount',
      inputs: { net: { type: 'number' } },
      definition: {
        steps: [
          { op: 'math', expression: 'net * 0.19', output: 'tax' },
          { op: 'return', value: 'tax' },
        ],
      },
      examples: [{ input: { net: 100 }, expected: 19 }],
    }
    const made = await runToolcrib(folder.path, ['make', '-'], { input: JSON.stringify(intent) })
    expect(made.stdout).toMatch(/tax_of v1 {2}activated/)
    expect((await run('tools', 'call', 'tax_of', '{"net":100}')).stdout).toBe('19\n')

    const wrong = {
      ...intent,
      name: 'tax_on',
      definition: { steps: [{ op: 'run', code: 'process.exit()' }] },
    }
    const refused = await runCommand(folder.path, ['make'], { input: JSON.stringify(wrong) })
    expect(refused.exitCode).toBe(1)
    expect(refused.stdout).toMatch(/steps\[0\]/)

    const noJson = await runCommand(folder.path, ['make'], { input: 'export default 1' })
    expect(noJson.exitCode).toBe(2)
  })

  test('a version that waits for a person is told apart from a missing tool', async () => {
    const rejected = await run('approvals', 'reject', 'shipping_cost@2', '--reason', 'no')
    expect(rejected.exitCode).toBe(1)
    const missing = await run('tools', 'call', 'shiping_cost', '{}')
    expect(missing.exitCode).toBe(1)
    expect(missing.stderr).toMatch(/shipping_cost/)
  })

  test('sharing a tool with every agent needs a signature', async () => {
    expect((await run('approvals', 'share', 'tax_of@1')).exitCode).toBe(2)
    const share = ['approvals', 'share', 'tax_of@1', '--hash', await hashOf('tax_of@1')]
    expect((await sign(...share)).exitCode).toBe(0)
    const [tax] = await json<{ visibility: string }[]>('versions', 'tax_of')
    expect(tax?.visibility).toBe('shared')
  })

  test('a revoked version never returns', async () => {
    expect((await run('revoke', 'tax_of@1', '--reason', 'wrong rate')).exitCode).toBe(0)
    expect((await run('tools', 'call', 'tax_of', '{"net":100}')).exitCode).not.toBe(0)
    const back = ['rollback', 'tax_of', '--to', '1', '--hash', await hashOf('tax_of@1')]
    const { exitCode, stderr } = await sign(...back)
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(/revoked|TRANSITION_REFUSED/)
  })

  test('the record verifies, the doctor finds no problem, and everything is private', async () => {
    expect((await run('audit', 'verify')).stdout).toMatch(/chain of hashes is whole/)
    const doctor = await run('doctor')
    expect(doctor.stdout).not.toMatch(/✘/)
    expect(doctor.stdout).toMatch(/Against such a shell the gate is advisory/)
    expect(doctor.exitCode).toBe(0)
    expect(statSync(join(folder.path, '.toolcrib')).mode & 0o077).toBe(0)
    expect(statSync(join(folder.path, '.toolcrib/trust')).mode & 0o077).toBe(0)
    const keyFile = readFileSync(
      join(folder.path, '.toolcrib/trust/approver-keys/alice.json'),
      'utf8',
    )
    expect(keyFile).not.toMatch(/PRIVATE KEY/)
    expect(keyFile).not.toContain(passphrase)
  })

  test('every listing has a JSON form', async () => {
    for (const parameters of [
      ['tools', 'list'],
      ['tools', 'show', 'shipping_cost'],
      ['approvals', 'list'],
      ['versions'],
      ['log'],
      ['log', '--stats'],
      ['audit', 'verify'],
      ['doctor'],
    ])
      expect(await json(...parameters)).toBeDefined()
  })

  interface Calls {
    readonly calls: readonly { readonly startedAt: number }[]
  }
  test('the log opens at a time, and statistics say how exact they are', async () => {
    const { calls } = await json<Calls>('log')
    const oldest = Math.min(...calls.map(({ startedAt }) => startedAt))
    const newest = Math.max(...calls.map(({ startedAt }) => startedAt))
    const before = new Date(newest).toISOString()
    const page = await json<Calls>('log', '--before', before)
    expect(page.calls).toEqual(calls.filter(({ startedAt }) => startedAt < newest))
    const nothing = await run('log', '--before', new Date(oldest).toISOString(), '--until', before)
    expect(nothing.stdout).toBe('No call matches.\n')
    expect((await run('log', '--stats')).stdout).toMatch(/P50, P95 and P99 are within 10 %/)
    expect((await run('log', '--stats', '--until', '1d')).stdout).not.toMatch(/shipping_cost/)
  })

  test('ends in order on SIGTERM', async () => {
    const ended = new Promise((done) => host.once('close', done))
    host.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect((await runAlone('audit', 'verify')).exitCode).toBe(0)
  })
})

describe('misuse', () => {
  test.each([
    ['an unknown command', ['fly']],
    ['an unknown option', ['tools', 'list', '--colour']],
    ['a missing argument', ['tools', 'call']],
    ['a version without a number', ['approvals', 'show', 'shipping_cost']],
    ['an input that is not JSON', ['tools', 'call', 'shipping_cost', '{weight: 12}']],
    ['a reason that is missing', ['pause']],
    ['a time that is none', ['log', '--since', 'yesterday']],
    ['a page at a time that is none', ['log', '--before', 'noon']],
    ['a status that is none', ['log', '--status', 'great']],
  ])('%s ends with exit code 2', async (_what, parameters) => {
    const { exitCode, stdout, stderr } = await run(...parameters)
    expect(stderr).not.toBe('')
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  test('a process with an unknown command ends with exit code 2, too', async () => {
    expect((await runAlone('fly')).exitCode).toBe(2)
  })

  test('help begins with examples that use the way the program was started', async () => {
    const { stdout } = await runCommand(folder.path, ['log', '--help'], {
      environment: {
        npm_package_name: 'toolcrib-workspace',
        npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v24',
      },
    })
    expect(stdout).toMatch(/^Examples:\n {2}npx -y pnpm@12\.21\.0 --silent toolcrib log/)
  })
})
