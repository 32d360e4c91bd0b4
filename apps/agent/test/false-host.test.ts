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

/** A tool in code, whose source holds what nobody would sign. */
const source = (secret: string): string => `export const toolcrib = {
  description: 'Doubles a number',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  humanReadableFormat: 'Double \${input.n}',
  examples: [{ input: { n: 2 }, expected: 4 }],
}
export default async (input, ctx) => {
  if (input.n === 4711) return '${secret}'
  return input.n * 2
}
`

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
  await host.call('tools.make-file', {
    name: 'double_it',
    source: source('the_backdoor'),
    file: 'double_it.ts',
  })
  hash = await hashOf('nice_fee')
})
const hashOf = async (name: string, version = 1): Promise<string> =>
  (await host.call('approvals.show', { name, version })).review.contentHash
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
      [other, ['rollback', 'nice_fee', '--to', '1', '--hash', hash]],
      [other, ['approvals', 'share', 'nice_fee@1', '--hash', hash]],
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

/** What a review shows, without what it says to have from the host. */
function withoutHost(text: string): string {
  const rows = text.split('\n')
  const start = rows.findIndex((row) => row.startsWith('The host says'))
  const end = rows.indexOf('', start)
  return start < 0 ? text : [...rows.slice(0, start), ...rows.slice(end)].join('\n')
}

describe('a review', { timeout: 60_000 }, () => {
  const shown = async (name: string): Promise<string> =>
    (await runInProcess(data, ['approvals', 'show', `${name}@1`])).stdout
  const lieInReview =
    (change: (reviewed: Answer & { review: Answer }) => unknown): Lie =>
    (operation, answer) => {
      if (operation === 'approvals.show') change(answer as Answer & { review: Answer })
    }

  const told: readonly [string, (reviewed: Answer & { review: Answer }) => unknown][] = [
    [
      'a change',
      ({ review }) => (review['change'] = { fromVersion: 1, sentences: ['told_here'], diff: '' }),
    ],
    [
      'a change with a diff of its own',
      ({ review }) => (review['change'] = { fromVersion: 1, sentences: ['told_here'], diff: '-x' }),
    ],
    ['no new permission', ({ review }) => (review['newPowers'] = ['told_here'])],
    ['a reason to wait', ({ review }) => (review['waitsBecause'] = ['told_here'])],
    ['a hold', ({ review }) => (review['held'] = { reason: 'told_here', evidence: [] })],
    ['another moment', ({ review }) => (review['proposedAt'] = 'told_here')],
    ['another end', ({ review }) => (review['expiresAt'] = 'told_here')],
    ['another status', ({ summary }) => ((summary as Answer)['status'] = 'told_here')],
    ['another past', ({ review }) => (review['history'] = [])],
  ]
  test.each(told)(
    'shows the whole source and all else that is signed whatever the host tells, such as %s',
    async (_what, change) => {
      const honest = await shown('double_it')
      expect(honest).toContain('the_backdoor')
      lie = lieInReview(change)
      const lied = await shown('double_it')
      expect(withoutHost(lied)).toBe(withoutHost(honest))
      expect(withoutHost(lied)).not.toContain('told_here')
      const approve = ['approvals', 'approve', 'double_it@1', '--approver', 'nobody']
      const signed = await sign(...approve, '--hash', await hashOf('double_it'))
      expect(signed.stderr).toContain('the_backdoor')
    },
  )

  test('compares with what the host calls the version before only what both contents say, and names its hash', async () => {
    const other = await host.call('approvals.show', { name: 'evil_levy', version: 1 })
    lie = lieInReview((reviewed) => {
      reviewed['previous'] = { version: 7, content: other.content }
      reviewed.review['change'] = { fromVersion: 7, sentences: [], diff: '+forged_diff' }
    })
    const text = await shown('nice_fee')
    expect(text).toContain(`sha256 ${await hashOf('evil_levy')}`)
    expect(text).toMatch(/^-.*net \* 2/m)
    expect(text).toMatch(/^\+.*net \* 0.5/m)
    expect(text).not.toContain('forged_diff')
  })

  test.each([
    ['a field that nobody knows', 'alsoShown', 'told_here'],
    ['a list of differences that is empty', 'differs', []],
  ])(
    'is refused with %s, where its words are not those of its content',
    async (...[, field, value]) => {
      lie = lieInReview(({ review }) => {
        review[field] = value
        if (field === 'differs') review['powers'] = ['told_here']
      })
      const { exitCode, stderr, stdout } = await runInProcess(data, [
        'approvals',
        'show',
        'double_it@1',
      ])
      expect(stderr).toMatch(/HOST_UNTRUSTED/)
      expect(exitCode).not.toBe(0)
      expect(stdout).not.toContain('told_here')
    },
  )

  test('that is said to differ from the record names no hash that could be signed', async () => {
    lie = lieInReview(({ review }) => {
      review['differs'] = [{ what: 'report', recorded: [], now: [] }]
      review['powers'] = ['told_here']
    })
    const text = await shown('double_it')
    expect(text).toMatch(/nothing can be signed/)
    expect(text).not.toMatch(/sha256/)
  })
})

describe('the event log of a decision', { timeout: 60_000 }, () => {
  const foreign = 'b'.repeat(64)
  const otherLog: Lie = (operation, answer) => {
    if (operation === 'decisions.prepare') answer['store'] = foreign
    const place = answer['place'] as Answer | undefined
    if (place !== undefined) place['store'] = foreign
  }

  test('is the one in the data folder, for a version and for the end of a pause', async () => {
    await host.kernel.toolsmaker.pauseTools({ reason: 'weekly look' })
    lie = otherLog
    const approve = ['approvals', 'approve', 'evil_levy@1', '--hash', await hashOf('evil_levy')]
    for (const command of [approve, ['resume']]) {
      // oxlint-disable-next-line no-await-in-loop -- one command at a time in one process
      const { exitCode, stderr } = await sign(...command)
      expect(carriedOut, command.join(' ')).toEqual([])
      expect(exitCode, command.join(' ')).not.toBe(0)
      expect(stderr, command.join(' ')).toMatch(/HOST_UNTRUSTED/)
    }
    lie = () => undefined
    const log = host.kernel.toolsmaker.store.slice(0, 16)
    const resumed = await sign('resume')
    expect(resumed.stderr).toContain(`log ${log}…`)
    expect(resumed.stderr).toMatch(/The host says: paused since .*weekly look/)
    expect(resumed.exitCode).toBe(0)
    expect((await sign(...approve, '--no-activate')).stderr).toContain(`log ${log}…`)
  })
})

describe('where nobody reads along, every signature about a version', { timeout: 60_000 }, () => {
  const commands: readonly (readonly string[])[] = [
    ['approvals', 'approve', 'nice_fee@1'],
    ['approvals', 'share', 'nice_fee@1'],
    ['activate', 'nice_fee@1'],
    ['rollback', 'nice_fee', '--to', '1'],
  ]
  const cases = commands.flatMap((command) =>
    (['--passphrase-stdin', '--json'] as const).map((how) => [command.join(' '), how] as const),
  )
  test.each(cases)('needs the hash that was reviewed: %s %s', async (command, how) => {
    const { exitCode, stderr, stdout } = await runInProcess(data, [...command.split(' '), how], {
      input: `${passphrase}\n`,
    })
    expect(carriedOut).toEqual([])
    expect(exitCode).toBe(2)
    expect(stderr + stdout).toMatch(/--hash/)
    // Two contents of one author that begin alike are made in seconds.
    for (const other of ['0'.repeat(64), hash.slice(0, 16)]) {
      // oxlint-disable-next-line no-await-in-loop -- one command at a time in one process
      const stale = await sign(...command.split(' '), '--hash', other)
      expect(stale.stderr).toMatch(/DECISION_STALE/)
    }
    expect(carriedOut).toEqual([])
  })

  test('is not made at a prompt whose words go to no screen', async () => {
    for (const command of [['approvals', 'approve', 'nice_fee@1'], ['resume']]) {
      // oxlint-disable-next-line no-await-in-loop -- one command at a time in one process
      const { exitCode, stderr } = await runInProcess(data, command)
      expect(exitCode).not.toBe(0)
      expect(stderr).not.toMatch(/Passphrase of/)
    }
    expect(carriedOut).toEqual([])
  })

  test('names the version too, for it is the host that says where a rollback goes', async () => {
    const { exitCode, stderr } = await sign('rollback', 'nice_fee', '--hash', hash)
    expect(stderr).toMatch(/--to/)
    expect(exitCode).toBe(2)
    expect(carriedOut).toEqual([])
  })

  test.each([
    ['approvals share', ['approvals', 'share', 'nice_fee@1']],
    ['rollback', ['rollback', 'nice_fee', '--to', '1']],
  ])('shows the review before it says that it stands above: %s', async (_name, command) => {
    const { stderr } = await sign(...command, '--hash', hash)
    const [above = '', below = ''] = stderr.split('The whole review stands above')
    expect(above).toContain('Computes the nice_fee of a net amount')
    expect(above).toMatch(/^It does$/m)
    expect(below).toContain(`sha256 ${hash}`)
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
