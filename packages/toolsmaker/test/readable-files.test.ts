import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type MemoryTrust, type ToolKind, createMemoryTrust } from '@toolcrib/toolsmaker'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

// More versions than are compared at each start whatever their files' times say.
const toolCount = 300

const grace = makeSigner('grace')
let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
async function begin(): Promise<void> {
  folder = await makeFolder()
  // One agent makes many tools.
  trust = createMemoryTrust({
    policy: { ownerLimits: { proposalsPerMinute: 10_000 } },
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
}

/** Names that are not like each other, so that no person has to look at them. */
const nameOf = (index: number): string => `price_${index}_${index * 7 + 11}_of_${index}`

const at = (path: string): string => join(folder.path, 'store', path)

/** A kind that counts what it writes, in words of its own. */
function countingKind(words: string): { readonly kind: ToolKind; count: number } {
  const counting = {
    count: 0,
    kind: createAdderKind({
      renderSource: ({ definition }) => {
        counting.count += 1
        return { extension: 'ts', text: `// ${words}: ${JSON.stringify(definition)}\n` }
      },
    }),
  }
  return counting
}

async function open(kind: ToolKind): Promise<Workshop> {
  return openWorkshop({ store: await openFolder(folder.path), trust, kinds: [kind] })
}

/** Compares the files, and lets them rest for so long that their times say something. */
async function rest({ maker }: Workshop): Promise<void> {
  await maker.checkProjections()
  await wait(100)
  await maker.close()
}

async function makeTools(): Promise<void> {
  const workshop = await open(countingKind('old').kind)
  const ada = workshop.maker.forAgent(agent)
  for (let index = 0; index < toolCount; index += 1)
    // oxlint-disable-next-line no-await-in-loop -- one proposal after the other
    await ada.buildToolFromIntent(adderIntent({ name: nameOf(index), definition: { add: index } }))
  await rest(workshop)
}

/** The files for which an alarm is on record. */
async function readAlarms(): Promise<string[]> {
  const text = await readFile(at('audit.jsonl'), 'utf8')
  const alarms = text.split('\n').filter((line) => line.includes('"tool_tampered"'))
  return alarms.map((line) => /"file":"([^"]+)"/.exec(line)?.[1] ?? line)
}

// Making them takes much longer than the tests, which leave them as they found them.
describe('the files of many tools', () => {
  beforeAll(async () => {
    await begin()
    await makeTools()
  })
  afterAll(() => folder.remove())
  beforeEach(async () => rest(await open(countingKind('old').kind)))

  test('that nobody changed are not made again at the next start, and a changed one is found among them', async () => {
    const alarms = await readAlarms()
    const quiet = countingKind('old')
    const first = await open(quiet.kind)
    expect(await first.maker.checkProjections()).toEqual({ written: [], restored: [], failed: [] })
    expect(quiet.count).toBeLessThan(toolCount)
    await first.maker.close()
    const paths = [0, 77, 150, 299].map((index) => `generated/${nameOf(index)}_v1.ts`)
    for (const path of paths) {
      // oxlint-disable no-await-in-loop -- one file after the other
      const { atime, mtime } = await stat(at(path))
      const text = await readFile(at(path), 'utf8')
      await writeFile(at(path), text.replace('old', 'bad'))
      await utimes(at(path), atime, mtime)
      // oxlint-enable no-await-in-loop
    }
    await rm(at(`custom-tools/${nameOf(5)}.json`))
    await rm(at(`reviews/${nameOf(6)}_v1.json`))
    const second = await open(countingKind('old').kind)
    const { restored, written } = await second.maker.checkProjections()
    await second.maker.close()
    const third = await open(countingKind('old').kind)
    expect(await readAlarms()).toEqual([...alarms, ...paths])
    // By whichever check came first: the one in the background, or the one that was asked for.
    for (const path of restored) expect(paths).toContain(path)
    for (const path of written)
      expect([`custom-tools/${nameOf(5)}.json`, `reviews/${nameOf(6)}_v1.json`]).toContain(path)
    for (const path of paths) expect(await readFile(at(path), 'utf8')).toMatch(/^\/\/ old/)
    await stat(at(`custom-tools/${nameOf(5)}.json`))
    await stat(at(`reviews/${nameOf(6)}_v1.json`))
    await third.maker.close()
  })

  test('are compared though somebody else wrote into the list of compared files', async () => {
    const alarms = await readAlarms()
    const path = `generated/${nameOf(7)}_v1.ts`
    await writeFile(at(path), '// evil\n')
    const { ctimeMs, ino } = await stat(at(path))
    const list = await readFile(at('.projected-checked'), 'utf8')
    expect(list).toContain(`\n${nameOf(7)} 1 `)
    // The line of the file, as it would be had the host compared it; the seal of its block is copied.
    await writeFile(
      at('.projected-checked'),
      list.replace(new RegExp(`^(${nameOf(7)} 1 .*? g\\.ts:)\\S+`, 'm'), `$1${ino}:${ctimeMs}`),
    )
    const { maker } = await open(countingKind('old').kind)
    await maker.checkProjections()
    expect(await readFile(at(path), 'utf8')).toBe('// old: {"add":7}\n')
    expect(await readAlarms()).toEqual([...alarms, path])
    await maker.close()
  })

  test('are all written anew, without an alarm, by a release of other words', async () => {
    const alarms = await readAlarms()
    const { maker } = await open(countingKind('new').kind)
    await maker.checkProjections()
    for (let index = 0; index < toolCount; index += 1)
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      expect(await readFile(at(`generated/${nameOf(index)}_v1.ts`), 'utf8')).toMatch(/^\/\/ new/)
    expect(await readAlarms()).toEqual(alarms)
    await maker.close()
  })
})

describe('the map of active versions', () => {
  beforeEach(begin)
  afterEach(() => folder.remove())

  test('follows each change in place, and stays right across changes of every sort', async () => {
    const { maker } = await open(countingKind('old').kind)
    const ada = maker.forAgent(agent)
    const names = ['a_first', 'b_second', 'c_third', 'd_fourth']
    const read = async (): Promise<unknown> =>
      JSON.parse(await readFile(at('active_versions.json'), 'utf8'))
    for (const name of names) {
      // oxlint-disable no-await-in-loop -- one change after the other
      await ada.buildToolFromIntent(adderIntent({ name }))
      expect(await read()).toEqual(maker.activeVersions())
    }
    const { ino } = await stat(at('active_versions.json'))
    const steps = ['b_second', 'd_fourth', 'a_first'] as const
    for (const name of steps) {
      await maker.deactivateTool(name, { reason: 'enough' })
      expect(await read()).toEqual(maker.activeVersions())
    }
    for (const name of [...steps].toReversed()) {
      await maker.activateToolVersion(name, 1, { signer: grace })
      expect(await read()).toEqual(maker.activeVersions())
      // oxlint-enable no-await-in-loop
    }
    await maker.close()
    expect(ino).toBeGreaterThan(0)
    const again = await open(countingKind('old').kind)
    expect(await again.maker.checkProjections()).toEqual({ written: [], restored: [], failed: [] })
    await again.maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'e_fifth' }))
    expect(await read()).toEqual(again.maker.activeVersions())
    await again.maker.close()
  })
})

describe('a list that somebody else wrote', () => {
  beforeEach(begin)
  afterEach(() => folder.remove())

  test.each(['.projected-checked', '.projected-hashes', 'active_versions.json'])(
    'a list %s that is larger than the host would have written it is begun anew, and is not taken in',
    async (list) => {
      const first = await open(countingKind('old').kind)
      await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
      await first.maker.checkProjections()
      await first.maker.close()
      await writeFile(at(list), '\n'.repeat(20_000_000))
      const { maker } = await open(countingKind('new').kind)
      await maker.checkProjections()
      await maker.close()
      expect((await stat(at(list))).size).toBeLessThan(10_000)
      expect(await readFile(at('generated/plus_some_v1.ts'), 'utf8')).toMatch(/^\/\/ new/)
    },
  )
})
