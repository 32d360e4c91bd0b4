import { chmodSync, renameSync, rmSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { join } from 'node:path'
import { createApprover } from '@toolcrib/toolsmaker'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callSocket } from '../src/host/socket-client.ts'
import { serveHost } from '../src/host/serve-host.ts'
import { runInProcess } from './command-in-process.ts'
import { type CommandOutcome, makeTemporaryFolder } from './run-toolcrib.ts'

// A program listens where the command line looks for the host. It answers as the host does, but for what it wants to have signed.

const passphrase = 'correct horse battery'
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
let host: Awaited<ReturnType<typeof serveHost>>
let real: string
let hash: string

const intent = (name: string, rate: number): Record<string, unknown> => ({
  name,
  purpose: `Computes the ${name} of a net amount`,
  risk: 'high',
  inputs: { net: { type: 'number' } },
  definition: {
    steps: [
      { op: 'math', expression: `net * ${rate}`, output: 'amount' },
      { op: 'return', value: 'amount' },
    ],
  },
  examples: [{ input: { net: 100 }, expected: 100 * rate }],
})

beforeAll(async () => {
  host = await serveHost({ data, environment: {} })
  real = join(data, 'real.sock')
  renameSync(host.folder.socket, real)
  await createApprover(join(data, 'trust'), { id: 'alice', passphrase })
  await host.call('tools.make', { intent: intent('nice_fee', 0.5) })
  await host.call('tools.make', { intent: intent('evil_levy', 2) })
  hash = (await host.call('approvals.show', { name: 'nice_fee', version: 1 })).review.contentHash
})
afterAll(async () => {
  renameSync(real, host.folder.socket)
  await host.close()
  folder.remove()
})

type Answer = Record<string, unknown>
/** Changes what the host answers to one operation. */
type Lie = (operation: string, answer: Answer, input: Answer) => unknown
let lie: Lie
let carriedOut: unknown[]
let server: Server

beforeEach(async () => {
  lie = () => undefined
  carriedOut = []
  server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const operation = (request.url ?? '/').slice(1)
      const input = JSON.parse(Buffer.concat(chunks).toString()) as Answer
      if (operation === 'decisions.carry-out') carriedOut.push(input)
      const envelope = await callSocket(real, { operation, input })
      if (envelope.ok) await lie(operation, envelope.data as Answer, input)
      response.end(JSON.stringify(envelope))
    })()
  })
  await new Promise<void>((done) => server.listen(host.folder.socket, done))
  chmodSync(host.folder.socket, 0o600)
})
afterEach(async () => {
  await new Promise((done) => server.close(done))
  rmSync(host.folder.socket, { force: true })
})

async function sign(...parameters: string[]): Promise<CommandOutcome> {
  return runInProcess(data, [...parameters, '--passphrase-stdin'], { input: `${passphrase}\n` })
}

const approveNice = (): Promise<CommandOutcome> =>
  sign('approvals', 'approve', 'nice_fee@1', '--no-activate', '--hash', hash)

const inStatement =
  (changes: Answer): Lie =>
  (operation, answer) => {
    if (operation === 'decisions.prepare') Object.assign(answer, changes)
  }

describe('a command that signs', { timeout: 60_000 }, () => {
  test('hands nothing to a host that has another version signed than the one that was asked for', async () => {
    lie = async (operation, answer, input) => {
      if (operation !== 'decisions.prepare') return
      const { contentHash: _content, reportHash: _report, ...wanted } = input
      const envelope = await callSocket(real, {
        operation,
        input: { ...wanted, name: 'evil_levy' },
      })
      if (envelope.ok) Object.assign(answer, envelope.data)
    }
    const { exitCode, stderr } = await approveNice()
    expect(carriedOut).toEqual([])
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(/name.*evil_levy.*DECISION_INVALID/)
  })

  const changes: readonly [string, Answer][] = [
    ['another action', { action: 'approve_and_activate' }],
    ['another namespace', { namespace: 'other' }],
    ['another store', { store: 'a'.repeat(64) }],
    ['another kind', { kind: 'code' }],
    ['another version number', { version: 2 }],
    ['another content', { contentHash: 'a'.repeat(64) }],
    ['another report', { reportHash: 'a'.repeat(64) }],
    ['another policy', { policyHash: 'a'.repeat(64) }],
    ['another proposer', { proposer: 'agent:ada' }],
    ['another approver', { approver: 'mallory' }],
    ['limits that nobody asked for', { limits: { timeoutMs: 1 } }],
    ['another moment of the log', { basis: 1_000 }],
    ['a time to come', { issuedAt: Date.now() + 600_000 }],
    ['an end that nobody asked for', { expiresAt: Date.now() + 600_000 }],
    ['a rule', { rule: 'compute-safe' }],
    ['a field that nobody knows', { also: 'evil_levy' }],
    ['a pause', { action: 'resume' }],
  ]
  test.each(changes)(
    'refuses a statement with %s before it asks for a passphrase',
    async (_what, change) => {
      lie = inStatement(change)
      const { exitCode, stderr } = await approveNice()
      expect(carriedOut).toEqual([])
      expect(stderr).not.toMatch(/PASSPHRASE/)
      expect(exitCode).not.toBe(0)
    },
  )

  test('refuses content that is not what its hash says, and words of a review that do not follow from what is hashed', async () => {
    const lies: readonly ((reviewed: Answer & { review: Answer }) => unknown)[] = [
      (reviewed) => Object.assign(reviewed['content'] as Answer, { risk: 'low' }),
      (reviewed) => Object.assign(reviewed['report'] as Answer, { steps: ['gives 1'] }),
      ({ review }) => (review['powers'] = ['nothing at all']),
      ({ review }) => (review['steps'] = ['gives 1']),
      ({ review }) => (review['suspicions'] = ['none']),
      ({ review }) => (review['checks'] = []),
      ({ review }) => (review['evidence'] = []),
      ({ review }) => Object.assign(review['risk'] as Answer, { level: 'low' }),
      ({ review }) => Object.assign(review['authorSays'] as Answer, { description: 'Fine' }),
      ({ review }) => (review['owner'] = 'person:somebody'),
      ({ review }) => (review['proposedBy'] = 'person:somebody'),
      ({ review }) => (review['name'] = 'other_fee'),
      ({ review }) => (review['kind'] = 'code'),
      ({ review }) => (review['version'] = 3),
      ({ review }) => (review['modelsRead'] = []),
      ({ review }) => (review['settings'] = ['one call may take 1 ms (usually 30,000)']),
      ({ review }) => (review['examples'] = []),
      ({ review }) => (review['definition'] = {}),
    ]
    for (const change of lies) {
      lie = (operation, answer) => {
        if (operation === 'approvals.show') change(answer as Answer & { review: Answer })
      }
      // oxlint-disable-next-line no-await-in-loop -- one command at a time in one process
      const { exitCode } = await approveNice()
      expect(carriedOut, String(change)).toEqual([])
      expect(exitCode, String(change)).not.toBe(0)
    }
  })

  test('says which hash was reviewed where nobody reads along, as with --json', async () => {
    const { exitCode, stdout } = await runInProcess(
      data,
      ['approvals', 'approve', 'nice_fee@1', '--json'],
      { input: `${passphrase}\n` },
    )
    expect(exitCode).not.toBe(0)
    expect(stdout).toMatch(/--hash/)
    expect(carriedOut).toEqual([])
  })

  test('checks what it signs for a rollback, for sharing and for the end of a pause too', async () => {
    lie = () => undefined
    expect((await approveNice()).stderr).not.toMatch(/✘/)
    expect(carriedOut).toHaveLength(1)
    carriedOut.length = 0
    await host.kernel.toolsmaker.pauseTools({ reason: 'look' })
    const other = inStatement({ name: 'evil_levy' })
    const resumed: Lie = (operation, answer, input) => {
      if (operation === 'decisions.prepare' && input['action'] === 'resume')
        Object.assign(answer, { namespace: 'other' })
    }
    const commands: readonly [Lie, readonly string[]][] = [
      [other, ['rollback', 'nice_fee', '--to', '1']],
      [other, ['approvals', 'share', 'nice_fee@1']],
      [resumed, ['resume']],
    ]
    for (const [next, command] of commands) {
      lie = next
      // oxlint-disable-next-line no-await-in-loop -- one command at a time in one process
      const { exitCode } = await sign(...command)
      expect(carriedOut, command.join(' ')).toEqual([])
      expect(exitCode, command.join(' ')).not.toBe(0)
    }
    lie = () => undefined
    for (const [, command] of commands) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await sign(...command)).stderr, command.join(' ')).not.toMatch(/✘/)
    }
    expect(carriedOut).toHaveLength(3)
  })
})

describe('a socket that could be that of somebody else', { timeout: 60_000 }, () => {
  test.each([
    ['the folder can be written by others', () => chmodSync(data, 0o777)],
    ['the folder can be written by a group', () => chmodSync(data, 0o770)],
  ])('is not spoken to when %s', async (_what, open) => {
    open()
    try {
      const { exitCode, stderr } = await runInProcess(data, ['approvals', 'list'])
      expect(exitCode).not.toBe(0)
      expect(stderr).toMatch(/HOST_UNTRUSTED/)
    } finally {
      chmodSync(data, 0o700)
    }
  })
})
