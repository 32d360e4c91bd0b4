import { join } from 'node:path'
import type { Principal } from '@toolcrib/registry'
import { type ApprovalSigner, createApprover, unlockSigner } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedHost, serveHost } from '../src/host/serve-host.ts'
import { runCommand } from './command-in-process.ts'
import { type CommandOutcome, makeTemporaryFolder } from './run-toolcrib.ts'

const person: Principal = { kind: 'person', id: 'olu' }
const passphrase = 'correct horse battery'
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
let host: ServedHost
let signer: ApprovalSigner

beforeAll(async () => {
  await createApprover(join(data, 'trust'), { id: 'alice', passphrase })
  signer = await unlockSigner(join(data, 'trust'), { id: 'alice', passphrase })
  host = await serveHost({ data, environment: {} })
})
afterAll(async () => {
  await host.close()
  folder.remove()
})

/** Proposes the next version of a tool, and has it approved. */
async function propose(name: string, factor: number): Promise<number> {
  const { toolsmaker } = host.kernel
  const { spec, status } = await toolsmaker.forAgent(person).buildToolFromIntent({
    name,
    purpose: 'Says how much a number of pieces costs',
    inputs: { pieces: { type: 'number' } },
    definition: {
      steps: [
        { op: 'math', expression: `pieces * ${String(factor)}`, output: 'price' },
        { op: 'return', value: 'price' },
      ],
    },
    examples: [{ input: { pieces: 10 }, expected: 10 * factor }],
  })
  if (status === 'approval_required') await toolsmaker.approveTool(name, spec.version, { signer })
  return spec.version
}

const use = async (name: string, version: number): Promise<unknown> =>
  host.kernel.toolsmaker.activateToolVersion(name, version, { signer })

async function proposeAndUse(name: string, factor: number): Promise<void> {
  const version = await propose(name, factor)
  if (host.kernel.toolsmaker.activeVersions()[name] !== version) await use(name, version)
}

const rollback = (name: string, version: number): Promise<CommandOutcome> => {
  const versions = host.kernel.toolsmaker.listVersions(name)
  const hash = versions.find((each) => each.version === version)?.contentHash ?? '0'.repeat(64)
  const reviewed = ['--to', String(version), '--hash', hash, '--passphrase-stdin', '--data', data]
  return runCommand(folder.path, ['rollback', name, ...reviewed], { input: `${passphrase}\n` })
}

const histories = {
  price_back: {
    takes: 'the version that was in use before, not one that was rolled back from',
    expected: 1,
    history: async (name: string) => {
      await use(name, 1)
      await proposeAndUse(name, 3)
    },
  },
  price_skip: {
    takes: 'the version that was in use before, not one that never was',
    expected: 1,
    history: async (name: string) => {
      await use(name, 1)
      await propose(name, 3)
      await proposeAndUse(name, 4)
    },
  },
  price_gone: {
    takes: 'the version that was in use before one that was revoked',
    expected: 1,
    history: async (name: string) => {
      await use(name, 1)
      await proposeAndUse(name, 3)
      await host.kernel.toolsmaker.revokeTool(name, 3, { reason: 'wrong prices', by: person })
    },
  },
  price_newer: {
    takes: 'a newer version, where that was in use before',
    expected: 2,
    history: async (name: string) => use(name, 1),
  },
}

const cases = Object.entries(histories).map(([name, rest]) => ({ name, ...rest }))

test.each(cases)('a rollback takes $takes', async ({ name, expected, history }) => {
  await proposeAndUse(name, 1)
  await proposeAndUse(name, 2)
  await history(name)
  const found = await host.call('versions.find-rollback', { name })
  expect(found.version).toBe(expected)
  const { exitCode, stderr, stdout } = await rollback(name, found.version)
  expect(stderr + stdout).toContain(`v${String(expected)} is approved and in use`)
  expect(exitCode).toBe(0)
  expect(host.kernel.toolsmaker.activeVersions()[name]).toBe(expected)
})

test('a rollback takes the version that it is told, and says when that cannot be', async () => {
  const name = 'price_told'
  await proposeAndUse(name, 1)
  await proposeAndUse(name, 2)
  await proposeAndUse(name, 3)
  expect((await rollback(name, 1)).exitCode).toBe(0)
  expect(host.kernel.toolsmaker.activeVersions()[name]).toBe(1)
  for (const version of [1, 7]) {
    // oxlint-disable-next-line no-await-in-loop -- two of them
    const refused = await rollback(name, version)
    expect(refused.stderr).toMatch(/price_told/)
    expect(refused.exitCode).toBe(1)
  }
  expect(host.kernel.toolsmaker.activeVersions()[name]).toBe(1)
})
