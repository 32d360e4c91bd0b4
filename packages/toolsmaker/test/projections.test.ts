import { execFileSync } from 'node:child_process'
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemoryTrust, createMemoryTrust } from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

let folder: Awaited<ReturnType<typeof makeFolder>>
const grace = makeSigner('grace')
let trust: MemoryTrust

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
})
afterEach(() => folder.remove())

const at = (path: string): string => join(folder.path, 'store', path)
const readJson = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(at(path), 'utf8')) as Record<string, unknown>

async function open(): Promise<Workshop> {
  const workshop = await openWorkshop({ store: await openFolder(folder.path), trust, grace })
  await workshop.maker.checkProjections()
  return workshop
}

async function makeTwoVersions(): Promise<Workshop> {
  const workshop = await open()
  const ada = workshop.maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  return workshop
}

test('the readable files lie where they belong and hold what they should', async () => {
  const { maker } = await makeTwoVersions()
  expect(await readJson('custom-tools/plus_some.json')).toEqual({
    name: 'plus_some',
    description: 'Adds a fixed number to a value',
    type: 'compute',
    parameters: { value: { type: 'number', description: 'The value' } },
    riskLevel: 'medium',
    createdAt: '2030-01-01T00:00:00.000Z',
    createdBy: 'ada',
    logic: { add: 1 },
  })
  expect(await readJson('specs/plus_some_v2.json')).toMatchObject({
    version: 2,
    state: { status: 'approval_required' },
  })
  expect(await readFile(at('generated/plus_some_v2.ts'), 'utf8')).toBe('export const add = 2\n')
  expect(await readJson('active_versions.json')).toEqual({ plus_some: 1 })
  const review = await readJson('reviews/plus_some_v2.json')
  expect(Object.keys(review)).toEqual([
    'name',
    'version',
    'kind',
    'contentHash',
    'reportHash',
    'status',
    'powers',
    'newPowers',
    'settings',
    'steps',
    'suspicions',
    'risk',
    'waitsBecause',
    'checks',
    'evidence',
    'change',
    'proposedBy',
    'proposedAt',
    'owner',
    'expiresAt',
    'modelsRead',
    'examples',
    'authorSays',
    'history',
  ])
  expect(review['waitsBecause']).toEqual(['it changes a tool that was approved'])
  expect(review['steps']).toEqual(['adds 2 to value'])
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  expect(await readJson('active_versions.json')).toEqual({ plus_some: 2 })
  expect(await readJson('custom-tools/plus_some.json')).toMatchObject({ logic: { add: 2 } })
  expect(await readJson('reviews/plus_some_v2.json')).toMatchObject({ status: 'activated' })
  await maker.deactivateTool('plus_some', { reason: 'enough' })
  expect(await readdir(at('custom-tools'))).toEqual([])
  await maker.close()
})

test('missing files are written again from the log', async () => {
  await (await makeTwoVersions()).maker.close()
  const files = ['specs', 'generated', 'reviews', 'custom-tools', 'active_versions.json']
  const before = await Promise.all(files.slice(0, 4).map((name) => readdir(at(name))))
  for (const name of files) await rm(at(name), { recursive: true })
  const { maker } = await open()
  expect(await Promise.all(files.slice(0, 4).map((name) => readdir(at(name))))).toEqual(before)
  expect(await readJson('active_versions.json')).toEqual({ plus_some: 1 })
  expect((await maker.history('plus_some')).map(({ event }) => event?.type)).not.toContain(
    'tool_tampered',
  )
  await maker.close()
})

test('a changed file is restored, said, and never run', async () => {
  const files = [
    'specs/plus_some_v1.json',
    'generated/plus_some_v1.ts',
    'reviews/plus_some_v2.json',
    'active_versions.json',
  ]
  await (await makeTwoVersions()).maker.close()
  const before = await Promise.all(files.slice(1, 2).map((file) => readFile(at(file), 'utf8')))
  for (const file of files) await writeFile(at(file), '{ "plus_some": 2, "evil": true }')
  const workshop = await open()
  const { maker } = workshop
  expect(await Promise.all(files.slice(1, 2).map((file) => readFile(at(file), 'utf8')))).toEqual(
    before,
  )
  expect(await readJson('active_versions.json')).toEqual({ plus_some: 1 })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  const tampered = (await maker.history('plus_some')).flatMap(({ event }) =>
    event?.type === 'tool_tampered' ? [event.file] : [],
  )
  expect(new Set(tampered)).toEqual(new Set(files))
  expect(tampered).toHaveLength(files.length)
  expect(maker.listVersions('plus_some')[0]?.callable).toBe(true)
  const second = await maker.checkProjections()
  expect(second.restored).toEqual([])
  await maker.close()
  const again = await open()
  expect(
    (await again.maker.history('plus_some')).filter(({ event }) => event?.type === 'tool_tampered'),
  ).toHaveLength(4)
  await again.maker.close()
})

describe('another release of the program', () => {
  /** Writes the readable files of a plain tool in other words than the usual ones. */
  async function openIn(words: string): Promise<Workshop> {
    const workshop = await openWorkshop({
      store: await openFolder(folder.path),
      trust,
      grace,
      kinds: [
        createAdderKind({
          renderSource: ({ definition }) => ({
            extension: 'ts',
            text: `// ${words}: ${JSON.stringify(definition)}\n`,
          }),
        }),
      ],
    })
    await workshop.maker.checkProjections()
    return workshop
  }
  const file = 'generated/plus_some_v1.ts'
  const tamperedIn = async ({ maker }: Workshop): Promise<readonly (string | undefined)[]> =>
    (await maker.history('plus_some')).flatMap(({ event }) =>
      event?.type === 'tool_tampered' ? [event.file] : [],
    )
  async function make(words: string): Promise<void> {
    const { maker } = await openIn(words)
    await maker.forAgent(agent).buildToolFromIntent(adderIntent())
    await maker.close()
  }

  test('writes its own words, and that is no tampering; an edit of either is', async () => {
    await make('old')
    const second = await openIn('new')
    expect(await readFile(at(file), 'utf8')).toBe('// new: {"add":1}\n')
    expect(await tamperedIn(second)).toEqual([])
    await second.maker.close()
    await writeFile(at(file), '// new: {"add":2}\n')
    const third = await openIn('newer')
    expect(await readFile(at(file), 'utf8')).toBe('// newer: {"add":1}\n')
    expect(await tamperedIn(third)).toEqual([file])
    await third.maker.close()
  })

  test('that kept no list is believed once: what it wrote is written anew, what is edited later counts', async () => {
    await make('old')
    const mark = await readFile(at('.projected'), 'utf8')
    await writeFile(at('.projected'), `${mark.split(' ')[0]}\n`)
    await rm(at('.projected-hashes'))
    const second = await openIn('new')
    expect(await tamperedIn(second)).toEqual([])
    await writeFile(at(file), '// mine\n')
    expect((await second.maker.checkProjections()).restored).toEqual([file])
    expect(await tamperedIn(second)).toEqual([file])
    await second.maker.close()
  })

  test('that kept no list and was used in between raises no false alarm', async () => {
    await make('old')
    // It read no mark, wrote its own, and its own words.
    await writeFile(at('.projected'), '5\n')
    await writeFile(at(file), '// older: {"add":1}\n')
    const { maker } = await openIn('new')
    expect(await tamperedIn({ maker } as Workshop)).toEqual([])
    await maker.close()
  })

  test('whose check was cut short raises no false alarm either', async () => {
    await make('old')
    await writeFile(at('.projected'), '5\n')
    await rm(at('.projected-hashes'))
    // The files of one version were listed before it ended.
    await writeFile(
      at('.projected-hashes'),
      `${'0'.repeat(64)} specs/other_v1.json\n${'0'.repeat(20)}`,
    )
    const { maker } = await openIn('new')
    expect(await tamperedIn({ maker } as Workshop)).toEqual([])
    await maker.close()
    const list = await readFile(at('.projected-hashes'), 'utf8')
    expect(list).toMatch(/^[0-9a-f]{64} generated\/plus_some_v1\.ts$/m)
  })

  test('whose list is gone or broken calls files of other words changed, and no others', async () => {
    await make('old')
    await writeFile(at('.projected-hashes'), 'nonsense')
    const same = await openIn('old')
    expect(await tamperedIn(same)).toEqual([])
    await same.maker.close()
    await rm(at('.projected-hashes'))
    const other = await openIn('new')
    expect(await tamperedIn(other)).toEqual([file])
    await other.maker.close()
  })

  test('keeps a short list of a tool with a long life', async () => {
    const { maker } = await openIn('old')
    const ada = maker.forAgent(agent)
    await ada.buildToolFromIntent(adderIntent())
    for (let round = 0; round < 140; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one life
      await maker.deactivateTool('plus_some', { reason: 'enough' })
      // oxlint-disable-next-line no-await-in-loop -- one life
      await maker.activateToolVersion('plus_some', 1, { signer: grace })
    }
    const linesOf = async (): Promise<number> =>
      (await readFile(at('.projected-hashes'), 'utf8')).split('\n').length
    expect(await linesOf()).toBeGreaterThan(600)
    await maker.checkProjections()
    expect(await linesOf()).toBe(4)
    await maker.close()
  })
})

test('a decision that is on its way stays good when a file was restored meanwhile', async () => {
  const { maker } = await makeTwoVersions()
  const statement = await maker.prepareDecision({
    action: 'approve',
    name: 'plus_some',
    version: 2,
    approver: 'grace',
  })
  await writeFile(at('specs/plus_some_v2.json'), 'changed')
  expect((await maker.checkProjections()).restored).toEqual(['specs/plus_some_v2.json'])
  const again = await maker.prepareDecision({
    action: 'approve',
    name: 'plus_some',
    version: 2,
    approver: 'grace',
  })
  expect(again.basis).toBe(statement.basis)
  await maker.close()
})

test('files that cannot be written stop nothing', async () => {
  const workshop = await open()
  await rm(at('reviews'), { recursive: true, force: true })
  await writeFile(at('reviews'), 'a file in the place of a folder')
  const built = await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  expect(built.status).toBe('activated')
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  expect((await workshop.maker.checkProjections()).failed).toHaveLength(1)
  await rm(at('reviews'))
  expect((await workshop.maker.checkProjections()).written).toContain('reviews/plus_some_v1.json')
  await workshop.maker.close()
})

test('custom tools that no record matches are handed out, broken ones with the reason, and none is touched', async () => {
  await (await makeTwoVersions()).maker.close()
  const mine = { name: 'tax', description: 'd', type: 'compute', parameters: {}, riskLevel: 'low' }
  await writeFile(at('custom-tools/tax.json'), JSON.stringify(mine))
  await writeFile(at('custom-tools/broken.json'), '{ "name": ')
  await writeFile(at('custom-tools/list.json'), '[]')
  await writeFile(at('custom-tools/huge.json'), `"${'x'.repeat(1_048_575)}"`)
  await writeFile(at('custom-tools/proto.json'), '{"__proto__":{"a":1}}')
  await writeFile(at('custom-tools/note.txt'), 'not a tool')
  await mkdir(at('custom-tools/folder.json'))
  const { maker } = await open()
  const found = await maker.readUnrecordedCustomTools()
  expect(found.map(({ file, problem }) => [file, problem === undefined])).toEqual([
    ['custom-tools/broken.json', false],
    ['custom-tools/folder.json', false],
    ['custom-tools/huge.json', false],
    ['custom-tools/list.json', false],
    ['custom-tools/proto.json', false],
    ['custom-tools/tax.json', true],
  ])
  expect(found.at(-1)).toMatchObject({
    content: mine,
    fileHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
  expect(await readdir(at('custom-tools'))).toHaveLength(8)
  await maker.close()
})

test('a changed custom tool is a proposal: it stays, is handed out, and is known once it was proposed', async () => {
  await (await makeTwoVersions()).maker.close()
  const file = await readJson('custom-tools/plus_some.json')
  await writeFile(at('custom-tools/plus_some.json'), JSON.stringify({ ...file, logic: { add: 9 } }))
  const { maker } = await open()
  const [found] = await maker.readUnrecordedCustomTools()
  expect(found?.content?.['logic']).toEqual({ add: 9 })
  const fileHash = found?.problem === undefined ? String(found?.fileHash) : ''
  const principal = { kind: 'service', id: 'custom-tools' } as const
  const intent = adderIntent({ definition: { add: 8 }, provenance: { fileHash } })
  await maker.buildToolFromIntent(intent, { principal })
  await writeFile(at('custom-tools/plus_some.json'), JSON.stringify({ ...file, logic: { add: 9 } }))
  expect(await maker.readUnrecordedCustomTools()).toEqual([])
  await maker.close()
})

test("somebody's file in custom-tools is neither removed nor overwritten by what happens to the tool", async () => {
  const workshop = await open()
  const { maker } = workshop
  await mkdir(at('custom-tools'), { recursive: true })
  const theirs = '{ "name": "plus_some", "note": "mine" }'
  await writeFile(at('custom-tools/plus_some.json'), theirs)
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent({ risk: 'high' }))
  await maker.rejectTool('plus_some', 1, { reason: 'no' })
  await ada.buildToolFromIntent(adderIntent())
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  await maker.deactivateTool('plus_some', { reason: 'enough' })
  expect(await readFile(at('custom-tools/plus_some.json'), 'utf8')).toBe(theirs)
  await maker.close()
})

test('links and pipes in custom-tools are named, not followed, and nothing waits for them', async () => {
  await mkdir(at('custom-tools'), { recursive: true })
  await writeFile(join(folder.path, 'secret.json'), '{ "name": "secret_sum" }')
  await symlink(join(folder.path, 'secret.json'), at('custom-tools/link.json'))
  execFileSync('mkfifo', [at('custom-tools/pipe.json')])
  const { maker } = await open()
  const found = await maker.readUnrecordedCustomTools()
  expect(found.map(({ content, file }) => [file, content])).toEqual([
    ['custom-tools/link.json', undefined],
    ['custom-tools/pipe.json', undefined],
  ])
  await maker.close()
})
