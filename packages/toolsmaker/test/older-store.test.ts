import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Toolsmaker,
  createToolsmaker,
  openTrustDirectory,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import { ToolRegistry } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import { agent, callTool, makeFolder, openFolder } from './bench-of-tests.ts'

let folder: Awaited<ReturnType<typeof makeFolder>>
let maker: Toolsmaker
let registry: ToolRegistry

beforeEach(async () => {
  folder = await makeFolder()
  await cp(join(import.meta.dirname, 'fixtures/older-store'), folder.path, { recursive: true })
})
afterEach(async () => {
  await maker?.close()
  await folder.remove()
})

/** Opens a store of the older form as a host does, an hour after it was written. */
const open = async (): Promise<void> => {
  registry = new ToolRegistry()
  maker = await createToolsmaker({
    store: await openFolder(folder.path),
    trust: await openTrustDirectory(join(folder.path, 'trust')),
    kinds: [createAdderKind()],
    registry,
    now: () => Date.UTC(2026, 10, 23, 1, 30),
  })
  await maker.loadActiveTools()
}
const call = (name: string): Promise<unknown> => callTool({ maker, registry }, name, { value: 1 })
const statuses = (): Record<string, string> =>
  Object.fromEntries(
    maker.listVersions().map(({ name, status, version }) => [`${name}@${version}`, status]),
  )
const grace = () =>
  unlockSigner(join(folder.path, 'trust'), {
    id: 'grace',
    passphrase: 'a passphrase of the fixture',
  })

test('a store of the older form keeps its content, and what was approved needs a new decision', async () => {
  await open()
  expect(maker.logProblem).toBeUndefined()
  expect(statuses()).toEqual({
    'by_grace@1': 'approval_required',
    // A rule gives it.
    'by_rule@1': 'activated',
    'two_versions@1': 'approval_required',
    'two_versions@2': 'activated',
    'waits_for_grace@1': 'approval_required',
    'was_deactivated@1': 'approval_required',
    'was_rejected@1': 'rejected',
    'was_revoked@1': 'revoked',
  })
  expect(await call('by_rule')).toBe(2)
  expect(await call('by_grace')).toBe('not registered')
  const waiting = maker.listPending().find(({ name }) => name === 'by_grace')
  expect(JSON.stringify(waiting)).toContain('needs a new decision')

  await maker.close()
  await open()
  expect(statuses()).toMatchObject({ 'by_rule@1': 'activated', 'by_grace@1': 'approval_required' })
  expect(await maker.verifyAudit()).toMatchObject({ ok: true })
  expect(
    (await maker.listEvents()).filter(({ event }) => event?.type === 'event_log_upgraded'),
  ).toHaveLength(1)
})

test('a person decides anew, on a report that is made anew', async () => {
  await open()
  const signer = await grace()
  await maker.approveTool('by_grace', 1, { signer })
  await maker.activateToolVersion('by_grace', 1, { signer })
  expect(await call('by_grace')).toBe(3)
  // What waited then waits for a review that can be signed.
  await expect(maker.approveTool('waits_for_grace', 1, { signer })).rejects.toMatchObject({
    code: 'REVIEW_CHANGED',
  })
  await maker.validateAgain('waits_for_grace', 1)
  await maker.approveTool('waits_for_grace', 1, { signer })
  // What was out of use before is put into use by nobody but a person.
  await maker.validateAgain('was_deactivated', 1)
  await maker.approveTool('was_deactivated', 1, { signer })
  expect(await call('was_deactivated')).toBe('not registered')
  await maker.activateToolVersion('was_deactivated', 1, { signer })
  expect(await call('was_deactivated')).toBe(8)
  await expect(maker.approveTool('was_revoked', 1, { signer })).rejects.toMatchObject({
    code: 'TRANSITION_REFUSED',
  })
})

test('with four eyes, nobody approves what the older form says that somebody proposed, until it is proposed again', async () => {
  await writeFile(join(folder.path, 'trust/policy.json'), '{"fourEyes":true}', { mode: 0o600 })
  await open()
  const signer = await grace()
  await expect(maker.approveTool('by_grace', 1, { signer })).rejects.toMatchObject({
    code: 'FOUR_EYES_REQUIRED',
  })
  // What a rule gives needs nobody.
  expect(await call('by_rule')).toBe(2)
})

test('a store of the older form that was cut since its checkpoint starts paused', async () => {
  const log = join(folder.path, 'store/audit.jsonl')
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  await writeFile(log, `${lines.slice(0, -3).join('\n')}\n`)
  await open()
  expect(maker.logProblem).toMatch(/the log was cut/)
  expect(maker.paused).toBeDefined()
  // The host decides nothing anew in a log that nobody has accepted.
  expect(await call('by_rule')).toBe('not registered')
  const signer = await grace()
  await maker.acceptLog({ signer })
  // Nor in what a person took as it was found: anybody may have written it.
  expect(await call('by_rule')).toBe('not registered')
  await maker.validateAgain('by_rule', 1)
  await maker.approveTool('by_rule', 1, { signer })
  await maker.activateToolVersion('by_rule', 1, { signer })
  expect(await call('by_rule')).toBe(2)
})

test('an older checkpoint that the host did not sign stands for nothing', async () => {
  const log = join(folder.path, 'store/audit.jsonl')
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  const kept = lines.slice(
    0,
    lines.findLastIndex((line, index) => index < lines.length - 1 && line.includes('"end":true')) +
      1,
  )
  const { hash, sequence } = JSON.parse(kept.at(-1) ?? '') as { hash: string; sequence: number }
  await writeFile(log, `${kept.join('\n')}\n`)
  const checkpoints = join(folder.path, 'trust/checkpoints')
  const [name = ''] = await readdir(checkpoints)
  const { checkpoint, signature } = JSON.parse(await readFile(join(checkpoints, name), 'utf8')) as {
    checkpoint: object
    signature: string
  }
  // The head of the log as it is now, under the signature of another one.
  const forged = { checkpoint: { ...checkpoint, sequence, headHash: hash }, signature }
  await writeFile(join(checkpoints, name), JSON.stringify(forged))
  await open()
  expect(maker.logProblem).toBeDefined()
  expect(maker.paused).toBeDefined()
  expect(await call('by_rule')).toBe('not registered')
})

test('a log of a newer form is refused with what to do', async () => {
  await folder.remove()
  await open()
  await maker.forAgent(agent).buildToolFromIntent({
    name: 'by_rule',
    purpose: 'Adds a fixed number to a value',
    inputs: { value: { type: 'number' } },
    definition: { add: 1 },
  })
  await maker.close()
  const store = await openFolder(folder.path)
  const [first] = await store.read(1, 1)
  await store.close()
  const next = await openFolder(join(folder.path, 'newer'))
  await next.append([{ ...first?.event, format: 3 } as never], 0)
  await next.close()
  const opening = createToolsmaker({
    store: await openFolder(join(folder.path, 'newer')),
    trust: await openTrustDirectory(join(folder.path, 'other-trust')),
    kinds: [createAdderKind()],
    registry: new ToolRegistry(),
  })
  await expect(opening).rejects.toThrow(/of form 3, which a newer release wrote/)
})

test('an upgrade that somebody writes into a log of the present form takes nothing away and gives nothing', async () => {
  await open()
  await maker.close()
  const store = await openFolder(folder.path)
  const at = '2026-11-23T01:00:00.000Z'
  await store.append(
    [
      {
        type: 'event_log_upgraded',
        at,
        actor: { kind: 'host', id: 'default' },
        from: 1,
        format: 2,
        expiresAt: 9e12,
        knownUpTo: 9e12,
      },
    ],
    store.sequence,
  )
  await store.close()
  await open()
  expect(await call('by_rule')).toBe(2)
  expect(await maker.verifyAudit()).toMatchObject({ ok: false })
})

test('a row that says that a newer release goes on with the log keeps nobody out, where this host does not remember it', async () => {
  await open()
  await maker.close()
  const store = await openFolder(folder.path)
  const frame = { at: '2026-11-23T01:00:00.000Z', actor: { kind: 'host', id: 'default' } } as const
  const upgrade = { type: 'event_log_upgraded', from: 2, format: 3, expiresAt: 9e12 } as const
  await store.append([{ ...frame, ...upgrade, knownUpTo: 0 }], store.sequence)
  await store.close()
  await open()
  expect(await call('by_rule')).toBe(2)
  expect(await maker.verifyAudit()).toMatchObject({ ok: false })
})

test('the review of a version of an older log tells its whole past', async () => {
  await open()
  await maker.close()
  await open()
  const review = await maker.readReview('was_deactivated', 1)
  const history = await maker.history('was_deactivated')
  expect(history.map(({ event }) => event?.type)).toContain('tool_deactivated')
  expect(review?.history.map(({ type }) => type)).toContain('tool_deactivated')
})

test('a log of the older form that this host has not seen is kept, and no rule decides anything in it', async () => {
  const trust = join(folder.path, 'trust')
  for (const name of await readdir(join(trust, 'checkpoints')))
    await rm(join(trust, 'checkpoints', name))
  await open()
  for (const name of ['by_rule', 'was_deactivated']) expect(await call(name)).toBe('not registered')
  expect(maker.listPending().map(({ name }) => name)).toContain('by_rule')
  await maker.close()
  await open()
  expect(await call('by_rule')).toBe('not registered')
})
