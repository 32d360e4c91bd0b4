import { readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApprover, openTrustDirectory, unlockSigner } from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

let folder: Awaited<ReturnType<typeof makeFolder>>
let directory: string
beforeEach(async () => {
  folder = await makeFolder()
  directory = join(folder.path, 'trust')
})
afterEach(() => folder.remove())

const grace = { id: 'grace', name: 'Grace', passphrase: 'correct horse' }

test('an approver is made, unlocked by the passphrase, and signs what loads after a restart', async () => {
  const approver = await createApprover(directory, grace)
  const trust = await openTrustDirectory(directory, { storeDirectory: join(folder.path, 'store') })
  expect(trust.approvers().get('grace')).toEqual(approver)
  const signer = await unlockSigner(directory, grace)
  expect(signer).toMatchObject({ approverId: 'grace', publicKey: approver.publicKey })
  const open = async (): ReturnType<typeof openWorkshop> =>
    openWorkshop({
      store: await openFolder(folder.path),
      trust: (await openTrustDirectory(directory)) as never,
      grace: signer,
    })
  const first = await open()
  await first.maker.forAgent(agent).buildToolFromIntent(adderIntent({ risk: 'high' }))
  const both = await first.maker.prepareDecision({
    action: 'approve_and_activate',
    name: 'plus_some',
    version: 1,
    approver: 'grace',
  })
  const { signDecision } = await import('@toolcrib/toolsmaker')
  await first.maker.approveTool('plus_some', 1, { decision: await signDecision(both, signer) })
  await first.maker.close()
  for (let start = 0; start < 2; start += 1) {
    const next = await open()
    expect(await callTool(next, 'plus_some', { value: 1 })).toBe(2)
    await next.maker.close()
  }
  expect(await readdir(join(directory, 'checkpoints'))).toHaveLength(1)
  // Without its approver the tool is refused, checkpoint or not.
  await writeFile(join(directory, 'approvers.json'), '[]')
  const without = await open()
  expect(await callTool(without, 'plus_some', { value: 1 })).toBe('not registered')
  await without.maker.close()
})

test('folders are for their owner only, and so is every file', async () => {
  await createApprover(directory, grace)
  const trust = await openTrustDirectory(directory)
  await trust.recordRevocation({ namespace: 'n', name: 'a', version: 1, contentHash: 'h' })
  for (const path of ['.', 'approver-keys'])
    expect((await stat(join(directory, path))).mode & 0o777).toBe(0o700)
  const files = ['approvers.json', 'host-key.json', 'revocations.jsonl', 'approver-keys/grace.json']
  for (const file of files) expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600)
  const key = await readFile(join(directory, 'approver-keys/grace.json'), 'utf8')
  expect(key).toContain('scrypt')
  expect(key).not.toContain('correct horse')
})

test('a wrong passphrase, a changed key file and an unknown approver are typed errors', async () => {
  await createApprover(directory, grace)
  const unlock = (passphrase = grace.passphrase, id = 'grace'): Promise<string> =>
    codeOf(unlockSigner(directory, { id, passphrase }))
  expect(await unlock()).toBe('nothing was thrown')
  expect(await unlock('wrong')).toBe('PASSPHRASE_WRONG')
  expect(await unlock('x', 'nobody')).toBe('APPROVER_UNKNOWN')
  expect(await unlock('x', '../host-key')).toBe('TRUST_INVALID')
  const path = join(directory, 'approver-keys/grace.json')
  const key = JSON.parse(await readFile(path, 'utf8')) as { publicKey: string; derivation: object }
  const publicKey = `${key.publicKey.startsWith('A') ? 'B' : 'A'}${key.publicKey.slice(1)}`
  await writeFile(path, JSON.stringify({ ...key, publicKey }))
  expect(await unlock()).toBe('PASSPHRASE_WRONG')
  await writeFile(
    path,
    JSON.stringify({ ...key, derivation: { ...key.derivation, cost: 2 ** 30 } }),
  )
  expect(await unlock()).toBe('TRUST_INVALID')
  await writeFile(path, 'not json')
  expect(await unlock()).toBe('TRUST_INVALID')
})

test('an approver needs a proper id of its own and a passphrase of 8 characters', async () => {
  await createApprover(directory, { ...grace, passphrase: '12345678' })
  expect(await codeOf(createApprover(directory, grace))).toBe('APPROVER_EXISTS')
  expect(await codeOf(createApprover(directory, { id: 'heidi', passphrase: '1234567' }))).toBe(
    'PASSPHRASE_TOO_SHORT',
  )
  for (const id of ['host', '', '../x', 'A', 'x'.repeat(65)])
    expect(await codeOf(createApprover(directory, { ...grace, id })), id).toBe('TRUST_INVALID')
  await Promise.all(['heidi', 'ivan'].map((id) => createApprover(directory, { ...grace, id })))
  expect([...(await openTrustDirectory(directory)).approvers().keys()].toSorted()).toEqual([
    'grace',
    'heidi',
    'ivan',
  ])
})

test('files that are not what they should be are refused by name, not ignored', async () => {
  await openTrustDirectory(directory)
  const cases: readonly (readonly [string, string])[] = [
    ['approvers.json', '{'],
    ['approvers.json', '{}'],
    ['approvers.json', '[{"id":"host","name":"x","publicKey":"x"}]'],
    ['approvers.json', '[{"id":"grace","name":"x","publicKey":"short"}]'],
    ['policy.json', '{"rules":[],"unknown":1}'],
    ['policy.json', '{"rules":[{"id":"x","kinds":[]}]}'],
    ['policy.json', '{"pendingExpiryMs":0}'],
    ['policy.json', '{"requiredApprovals":11}'],
    ['host-key.json', '{}'],
    ['revocations.jsonl', '{"namespace":1}'],
  ]
  for (const [file, text] of cases) {
    const before = await readFile(join(directory, file), 'utf8').catch(() => undefined)
    await writeFile(join(directory, file), text)
    await expect(openTrustDirectory(directory), text).rejects.toMatchObject({
      code: 'TRUST_INVALID',
      message: expect.stringContaining(file) as string,
    })
    if (before === undefined) await rm(join(directory, file))
    else await writeFile(join(directory, file), before)
  }
})

test('the host key stays the same, revocations outlive the process, and a cut line is skipped', async () => {
  const trust = await openTrustDirectory(directory)
  const revocation = { namespace: 'n', name: 'a', version: 1, contentHash: 'h' }
  await trust.recordRevocation(revocation)
  await trust.recordRevocation(revocation)
  await writeFile(join(directory, 'revocations.jsonl'), '\n{"namespace":"n","na', { flag: 'a' })
  const again = await openTrustDirectory(directory)
  expect(again.hostSigner().publicKey).toBe(trust.hostSigner().publicKey)
  expect(again.isRevoked(revocation)).toBe(true)
  expect(again.isRevoked({ ...revocation, version: 2 })).toBe(false)
  const other = { ...revocation, version: 3 }
  await again.recordRevocation(other)
  expect((await openTrustDirectory(directory)).isRevoked(other)).toBe(true)
})

test('a policy on disk replaces the default, with defaults for what it leaves out', async () => {
  const trust = await openTrustDirectory(directory)
  const before = trust.policyHash()
  expect(trust.policy().rules.map(({ id }) => id)).toEqual(['compute-safe'])
  await writeFile(join(directory, 'policy.json'), '{"rules":[]}')
  await trust.refresh()
  expect(trust.policy()).toMatchObject({ rules: [], requiredApprovals: 1, fourEyes: false })
  expect(trust.policyHash()).not.toBe(before)
})

test('a link does not hide that the trust lies in the store', async () => {
  const store = join(folder.path, 'store')
  await (await openFolder(folder.path)).close()
  await symlink(store, join(folder.path, 'elsewhere'))
  for (const path of [join(folder.path, 'elsewhere', 'trust'), store, folder.path])
    expect(await codeOf(openTrustDirectory(path, { storeDirectory: store })), path).toBe(
      'TRUST_MISPLACED',
    )
  expect(await codeOf(openTrustDirectory(`${store}-trust`, { storeDirectory: store }))).toBe(
    'nothing was thrown',
  )
})
