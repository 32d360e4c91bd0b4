import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSigner, generateKeyPair, openTrustDirectory } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { type Workshop, callTool, makeFolder, openFolder, openWorkshop } from './bench-of-tests.ts'

/** `pnpm test:long` kills more often. */
const kills = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 5 : 48

/** Runs the child until it has acknowledged so many events and a moment has passed, then kills it. Gives the last one. */
async function runAndKill(
  folder: string,
  keys: string,
  seed: string,
): Promise<{ sequence: number; head: string }> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@toolcrib/source',
      join(import.meta.dirname, 'busy-child.ts'),
      folder,
      keys,
      seed,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let problem = ''
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let last = { sequence: 0, head: '' }
  let count = 0
  const enough = randomInt(1, 12)
  const delayMs = randomInt(0, 15)
  for await (const line of createInterface({ input: child.stdout })) {
    const [sequence = '0', head = ''] = line.split(' ')
    last = { sequence: Number(sequence), head }
    count += 1
    if (count === enough) setTimeout(() => child.kill('SIGKILL'), delayMs)
  }
  await ended
  expect(count, problem).toBeGreaterThanOrEqual(enough)
  return last
}

async function open(
  folder: string,
): Promise<Workshop & { sequence: number; hashAt: (n: number) => Promise<unknown> }> {
  const store = await openFolder(folder)
  const { sequence } = store
  const trust = await openTrustDirectory(join(folder, 'trust'))
  const workshop = await openWorkshop({ store, trust: trust as never, clock: { now: Date.now() } })
  return { ...workshop, sequence, hashAt: (n) => store.hashAt(n) }
}

test(`killed ${kills} times at any moment, nothing acknowledged is lost and nothing unsigned is callable`, async () => {
  const folder = await makeFolder()
  const { path } = folder
  try {
    const pair = generateKeyPair()
    await mkdir(join(path, 'trust'), { recursive: true })
    await writeFile(
      join(path, 'trust', 'approvers.json'),
      JSON.stringify([
        { id: 'grace', name: 'Grace', publicKey: createSigner('grace', pair).publicKey },
      ]),
    )
    // One agent proposes more in a moment than is usual.
    const ownerLimits = { pending: 1_000, proposalsPerMinute: 1_000 }
    await writeFile(join(path, 'trust', 'policy.json'), JSON.stringify({ ownerLimits }))
    for (let run = 0; run < kills; run += 1) {
      const { head, sequence } = await runAndKill(path, JSON.stringify(pair), `run ${run}`)
      const workshop = await open(path)
      const { maker, registry } = workshop
      expect(workshop.sequence).toBeGreaterThanOrEqual(sequence)
      expect(await workshop.hashAt(sequence)).toBe(head)
      expect(await maker.verifyAudit()).toMatchObject({ ok: true })
      const active = maker.listVersions().filter(({ status }) => status === 'activated')
      expect(registry.count()).toBe(active.length)
      expect(active.every(({ callable }) => callable)).toBe(true)
      for (const { name, version } of active)
        expect(await callTool(workshop, name, { value: 1 })).toBe(1 + version)
      const report = await maker.checkProjections()
      expect(report.failed).toEqual([])
      const events = maker.listVersions().map(({ name }) => maker.history(name))
      const types = (await Promise.all(events)).flat().map(({ event }) => event?.type)
      expect(types).not.toContain('tool_tampered')
      await maker.close()
    }
  } finally {
    await folder.remove()
  }
}, 240_000)
