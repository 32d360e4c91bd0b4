import {
  chown,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import {
  type MemoryTrust,
  createApprover,
  createMemoryTrust,
  openFileEventStore,
  openTrustDirectory,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

// Somebody can write the whole store, and puts links into it that lead to the trust or anywhere else.

let folder: Awaited<ReturnType<typeof makeFolder>>
let secret: string
let trust: MemoryTrust
const secretText = '{"publicKey":"p","privateKey":"do not read this"}\n'

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust()
  secret = join(folder.path, 'host-key.json')
  await writeFile(secret, secretText)
})
afterEach(() => folder.remove())

const at = (path: string): string => join(folder.path, 'store', path)

async function makeStore(): Promise<void> {
  const { maker } = await open()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.close()
}

async function open(): Promise<Workshop> {
  const workshop = await openWorkshop({ store: await openFolder(folder.path), trust })
  await workshop.maker.checkProjections()
  return workshop
}

/** The text of every plain file below the store. */
async function storeTexts(): Promise<string> {
  const entries = await readdir(at('.'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'audit.jsonl')
  const texts = await Promise.all(
    files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
  )
  return texts.join('\n')
}

test('a log that is a symbolic or hard link to a key is refused by name, and the key is neither copied nor changed', async () => {
  for (const make of [symlink, link]) {
    await makeStore()
    await rm(at('audit.jsonl'))
    await make(secret, at('audit.jsonl'))
    await expect(openFolder(folder.path)).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringMatching(/audit\.jsonl .*(symbolic|hard) link.*remove it/s) as string,
    })
    expect(await readFile(secret, 'utf8')).toBe(secretText)
    expect(await storeTexts()).not.toContain('do not read this')
    await rm(at('.'), { recursive: true })
  }
})

test('a link to a file that does not exist makes none', async () => {
  await mkdir(at('.'), { recursive: true })
  await symlink(join(folder.path, 'policy.json'), at('audit.jsonl'))
  expect(await codeOf(openFolder(folder.path))).toBe('STORE_INVALID')
  expect(await readdir(folder.path)).not.toContain('policy.json')
})

test('a file that does not begin as the log of this namespace is refused and stays as it is', async () => {
  await makeStore()
  const log = await readFile(at('audit.jsonl'), 'utf8')
  const [, ...later] = log.split('\n')
  for (const text of [secretText, 'notes', 'a\nb\n', later.join('\n'), `x${log}`, '{"hash":"xyz']) {
    await writeFile(at('audit.jsonl'), text)
    await expect(openFolder(folder.path), text.slice(0, 20)).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining('does not begin with the first row') as string,
    })
    expect(await readFile(at('audit.jsonl'), 'utf8')).toBe(text)
  }
  await writeFile(at('audit.jsonl'), log)
  expect(await codeOf(openFolder(folder.path, 'another'))).toBe('STORE_INVALID')
  expect(await readFile(at('audit.jsonl'), 'utf8')).toBe(log)
})

test('folders of the store that are links to the trust get nothing written into them', async () => {
  const directory = join(folder.path, 'trust')
  await openTrustDirectory(directory)
  const before = await readdir(directory)
  await mkdir(at('.'), { recursive: true })
  for (const name of ['custom-tools', 'specs', 'generated', 'reviews'])
    await symlink(directory, at(name))
  const { maker } = await open()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'policy' }))
  expect(maker.listVersions('policy')[0]?.status).toBe('activated')
  const { failed } = await maker.checkProjections()
  expect(failed.map(({ reason }) => reason).join()).toMatch(/symbolic link/)
  expect(await codeOf(maker.readUnrecordedCustomTools())).toBe('STORE_INVALID')
  await maker.close()
  expect(await readdir(directory)).toEqual(before)
  expect(await codeOf(openTrustDirectory(directory))).toBe('nothing was thrown')
})

test('readable files that are links are exchanged for plain files; what they led to stays', async () => {
  await makeStore()
  const paths = [
    'specs/plus_some_v1.json',
    'generated/plus_some_v1.ts',
    'reviews/plus_some_v1.json',
    'active_versions.json',
    '.projected',
    '.projected-hashes',
    '.projected-checked',
  ]
  for (const path of paths) {
    await rm(at(path), { force: true })
    await symlink(secret, at(path))
    await symlink(secret, at(`${path}.new`))
  }
  const workshop = await open()
  await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'other_sum' }))
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  await workshop.maker.close()
  expect(await readFile(secret, 'utf8')).toBe(secretText)
  expect(await storeTexts()).not.toContain('do not read this')
  expect(await readFile(at('active_versions.json'), 'utf8')).toContain('"other_sum": 1')
})

test('a map of active versions that became a hard link while it was held is not written through', async () => {
  const { maker } = await open()
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  const map = await readFile(at('active_versions.json'), 'utf8')
  const victim = join(folder.path, 'victim.json')
  await writeFile(victim, map)
  await rm(at('active_versions.json'))
  await link(victim, at('active_versions.json'))
  await ada.buildToolFromIntent(adderIntent({ name: 'other_sum' }))
  expect(await readFile(victim, 'utf8')).toBe(map)
  expect(JSON.parse(await readFile(at('active_versions.json'), 'utf8'))).toEqual({
    plus_some: 1,
    other_sum: 1,
  })
  // Also where it is the very file that is held, with another name elsewhere.
  const other = join(folder.path, 'other.json')
  await link(at('active_versions.json'), other)
  const linked = await readFile(other, 'utf8')
  await ada.buildToolFromIntent(adderIntent({ name: 'third_one' }))
  expect(await readFile(other, 'utf8')).toBe(linked)
  await maker.close()
})

test('files and folders of the trust that are links are refused by name, and nothing is written through them', async () => {
  const directory = join(folder.path, 'trust')
  await createApprover(directory, { id: 'grace', passphrase: 'correct horse' })
  await openTrustDirectory(directory)
  for (const name of ['approvers.json', 'policy.json', 'host-key.json', 'revocations.jsonl']) {
    const kept = join(folder.path, 'kept')
    await rename(join(directory, name), kept).catch(() => undefined)
    for (const make of [symlink, link]) {
      await make(secret, join(directory, name))
      await expect(openTrustDirectory(directory), name).rejects.toMatchObject({
        code: 'TRUST_INVALID',
        message: expect.stringContaining(name) as string,
      })
      await rm(join(directory, name))
    }
    await rename(kept, join(directory, name)).catch(() => undefined)
  }
  const elsewhere = join(folder.path, 'elsewhere')
  await rename(join(directory, 'approver-keys'), elsewhere)
  await symlink(elsewhere, join(directory, 'approver-keys'))
  expect(await codeOf(unlockSigner(directory, { id: 'grace', passphrase: 'correct horse' }))).toBe(
    'TRUST_INVALID',
  )
  expect(await readFile(secret, 'utf8')).toBe(secretText)
})

test.runIf(process.getuid?.() === 0)("somebody else's log is refused", async () => {
  await makeStore()
  await chown(at('audit.jsonl'), 65_534, 65_534)
  await expect(openFolder(folder.path)).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringContaining('belongs to user 65534') as string,
  })
})

test('the folder of a namespace in the store of another one is no link, nor is the folder that holds it', async () => {
  const { maker } = await open()
  await maker.close()
  const elsewhere = join(folder.path, 'elsewhere')
  const team = { directory: at('namespaces/team'), namespace: 'team' }
  for (const place of ['namespaces', 'namespaces/team']) {
    await rm(at('namespaces'), { recursive: true, force: true })
    await mkdir(join(elsewhere, 'team'), { recursive: true, mode: 0o700 })
    if (place !== 'namespaces') await mkdir(at('namespaces'))
    await symlink(elsewhere, at(place))
    await expect(openFileEventStore(team)).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining(`${at(place)} is a symbolic link`) as string,
      data: { file: at(place), rule: 'symbolic-link' },
    })
    expect(await readdir(elsewhere, { recursive: true })).toEqual(['team'])
  }
  await rm(at('namespaces'), { recursive: true })
  const store = await openFileEventStore(team)
  const workshop = await openWorkshop({ store, trust })
  await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  // Somebody puts a link in its place while it is open: the log is the one that was opened, and nothing is written elsewhere.
  await rename(at('namespaces'), join(folder.path, 'moved'))
  await symlink(elsewhere, at('namespaces'))
  const more = adderIntent({ name: 'other_sum' })
  await expect(workshop.maker.forAgent(agent).buildToolFromIntent(more)).rejects.toMatchObject({
    code: 'STORE_INVALID',
  })
  await workshop.maker.checkProjections()
  await workshop.maker.close()
  expect(await readdir(elsewhere, { recursive: true })).toEqual(['team'])
})

test('links above the store of another namespace are the operator\u2019s', async () => {
  const real = join(folder.path, 'real')
  await mkdir(real)
  await symlink(real, join(folder.path, 'alias'))
  const directory = join(folder.path, 'alias/store/namespaces/team')
  const store = await openFileEventStore({ directory, namespace: 'team' })
  await store.close()
  expect(await readdir(join(real, 'store/namespaces/team'))).toContain('audit.jsonl')
})
