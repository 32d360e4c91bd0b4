import {
  createMemoryTrust,
  type EventStore,
  type MemoryTrust,
  type MemoryTrustOptions,
  type ToolKind,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Workshop,
  type WorkshopOptions,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'
import { type Outside, createOutside, createOutsideKind } from './outside-kind.ts'

const grace = makeSigner('grace')
const reason = 'an alarm'
let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
let outside: Outside
let workshop: Workshop | undefined

const makeTrust = (policy: MemoryTrustOptions['policy'] = {}): MemoryTrust =>
  createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    policy,
  })

beforeEach(async () => {
  folder = await makeFolder()
  trust = makeTrust()
  outside = createOutside()
})
afterEach(async () => {
  await workshop?.maker.close()
  workshop = undefined
  await folder.remove()
})

/** Starts a program on the folder, after the one before has ended. */
async function start(
  options: WorkshopOptions = {},
  change: (kind: ToolKind) => Partial<ToolKind> = () => ({}),
): Promise<Workshop> {
  await workshop?.maker.close()
  const kind = createOutsideKind(outside)
  workshop = await openWorkshop({
    trust,
    grace,
    kinds: [{ ...kind, ...change(kind) }],
    ...options,
    store: options.store ?? (await openFolder(folder.path)),
  })
  return workshop
}

async function make({ maker }: Workshop, name: string, add = 1): Promise<void> {
  const { spec, status } = await maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ name, definition: { add } }))
  if (status !== 'approval_required') return
  await maker.approveTool(name, spec.version, { signer: grace })
  await maker.activateToolVersion(name, spec.version, { signer: grace })
}

/** A store whose disk can be full. */
async function openFillable(): Promise<{ readonly store: EventStore; isFull: boolean }> {
  const real = await openFolder(folder.path)
  const disk = {
    isFull: false,
    store: new Proxy(real, {
      get: (target, key): unknown => {
        if (key === 'append' && disk.isFull) return () => Promise.reject(new Error('disk full'))
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    }),
  }
  return disk
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const live = (): object => Object.fromEntries(outside.live)
/** What a call gives, or the code that it is refused with. */
const call = (on: Workshop, name: string): Promise<unknown> =>
  callTool(on, name, { value: 1 }).catch(({ code }: { code?: unknown }) => code)
const typesOf = async ({ maker }: Workshop, name: string): Promise<readonly unknown[]> =>
  (await maker.history(name)).map(({ event }) => event?.type)

describe('what was changed outside is not forgotten', () => {
  test('when a call finds it once the pause is in force', async () => {
    const on = await start({ inspectionLastsMs: 0 })
    await make(on, 'first_sum')
    const { promise, resolve } = Promise.withResolvers<void>()
    outside.look = () => promise
    const calling = call(on, 'first_sum')
    await expect.poll(() => outside.asked.at(-1)).toBe('inspect first_sum v1')
    outside.answer = { state: 'changed', reason: 'it adds 666 there' }
    const pausing = on.maker.pauseTools({ reason })
    resolve()
    expect(await calling).toBe('TOOLS_PAUSED')
    await pausing
    outside.answer = undefined
    await on.maker.resumeTools({ signer: grace })
    expect(await typesOf(on, 'first_sum')).toContain('tool_tampered')
    expect(live()).toEqual({})
  })

  test('when a look has found it, and waits for another tool as the pause comes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const on = await start({ inspectionLastsMs: 0 }, (kind) => ({
      inspect: async (spec, options) => {
        if (spec.name === 'other_sum') await promise
        return (await kind.inspect?.(spec, options)) ?? { state: 'intact' }
      },
    }))
    await make(on, 'first_sum')
    await make(on, 'other_sum', 5)
    outside.live.set('first_sum', 666)
    const looking = on.maker.inspectTools()
    await expect.poll(() => outside.asked.at(-1)).toBe('inspect first_sum v1')
    await on.maker.pauseTools({ reason })
    resolve()
    await looking
    await on.maker.resumeTools({ signer: grace })
    const again = await start()
    expect(await typesOf(again, 'first_sum')).toContain('tool_tampered')
    expect(await call(again, 'first_sum')).toBe('not registered')
    expect(await call(again, 'other_sum')).toBe(6)
  })

  test('and nobody is accused of what a resume is just putting up', async () => {
    const delay = { ms: 0 }
    const on = await start({}, (kind) => ({
      settle: async (inUse, options) => {
        await wait(delay.ms)
        await kind.settle?.(inUse, options)
      },
    }))
    await make(on, 'first_sum')
    await on.maker.pauseTools({ reason })
    delay.ms = 40
    const resuming = on.maker.resumeTools({ signer: grace })
    await wait(20)
    await on.maker.inspectTools()
    await resuming
    expect(await call(on, 'first_sum')).toBe(2)
    expect(await typesOf(on, 'first_sum')).not.toContain('tool_tampered')
  })

  test('and what was found intact before counts no longer afterwards', async () => {
    const on = await start()
    await make(on, 'first_sum')
    expect(await call(on, 'first_sum')).toBe(2)
    await on.maker.pauseTools({ reason })
    await on.maker.resumeTools({ signer: grace })
    outside.asked.length = 0
    expect(await call(on, 'first_sum')).toBe(2)
    expect(outside.asked).toEqual(['inspect first_sum v1'])
  })
})

describe('nothing is put up', () => {
  test('by a resume that another pause has overtaken', async () => {
    const settled: string[][] = []
    const on = await start({}, (kind) => ({
      settle: async (inUse, options) => {
        settled.push(inUse.map(({ name }) => name))
        await wait(5)
        await kind.settle?.(inUse, options)
      },
    }))
    await make(on, 'first_sum')
    settled.length = 0
    const pausing = on.maker.pauseTools({ reason })
    await wait(1)
    const resuming = on.maker.resumeTools({ signer: grace })
    await wait(1)
    await Promise.all([pausing, resuming, on.maker.pauseTools({ reason })])
    expect(settled).not.toContainEqual(['first_sum'])
    expect(await call(on, 'first_sum')).toBe('TOOLS_PAUSED')
  })

  test('whose approval ran out during the pause', async () => {
    trust = makeTrust({ rules: [], approvalExpiryMs: 60_000 })
    const clock = { now: Date.UTC(2030, 0, 1) }
    const on = await start({ clock })
    await make(on, 'first_sum')
    await on.maker.pauseTools({ reason })
    clock.now += 120_000
    await on.maker.resumeTools({ signer: grace })
    expect(live()).toEqual({})
  })

  test('by an activation that cannot be recorded', async () => {
    const disk = await openFillable()
    const on = await start({ store: disk.store })
    await make(on, 'first_sum')
    await on.maker.pauseTools({ reason })
    await on.maker
      .forAgent(agent)
      .buildToolFromIntent(adderIntent({ name: 'first_sum', definition: { add: 5 } }))
    await on.maker.approveTool('first_sum', 2, { signer: grace })
    disk.isFull = true
    const activation = on.maker.activateToolVersion('first_sum', 2, { signer: grace })
    expect(await codeOf(activation)).toContain('disk full')
    disk.isFull = false
    expect(live()).toEqual({})
    await on.maker.resumeTools({ signer: grace })
    expect(live()).toEqual({ first_sum: 1 })
  })
})

test('a pause that cannot be recorded stops what runs outside all the same', async () => {
  const disk = await openFillable()
  const on = await start({ store: disk.store })
  await make(on, 'first_sum')
  disk.isFull = true
  expect(await codeOf(on.maker.pauseTools({ reason }))).toBe('STORE_WRITE_FAILED')
  expect(await call(on, 'first_sum')).toBe('TOOLS_PAUSED')
  expect(live()).toEqual({})
  disk.isFull = false
})

test('a look that is asked for during a pause, and comes after it, looks', async () => {
  const on = await start()
  await make(on, 'first_sum')
  await on.maker.pauseTools({ reason })
  const resuming = on.maker.resumeTools({ signer: grace })
  const looking = on.maker.inspectTools()
  await resuming
  expect(await looking).toMatchObject([{ state: 'intact' }])
})
