import { createMemoryTrust, type MemoryTrust, type ToolKind } from '@toolcrib/toolsmaker'
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

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
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
  overrides: Partial<ToolKind> = {},
): Promise<Workshop> {
  await workshop?.maker.close()
  workshop = await openWorkshop({
    store: await openFolder(folder.path),
    trust,
    grace,
    kinds: [createOutsideKind(outside, overrides)],
    ...options,
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

const live = (): object => Object.fromEntries(outside.live)

/** What a call gives, or the code that it is refused with. */
const call = (on: Workshop, name: string): Promise<unknown> =>
  callTool(on, name, { value: 1 }).catch(({ code }: { code?: unknown }) => code)

describe('a pause', () => {
  test('takes down what runs elsewhere by itself; the end of it puts up what was approved', async () => {
    const on = await start()
    await make(on, 'first_sum')
    await make(on, 'other_sum', 5)
    await make(on, 'spare_sum')
    await on.maker.deactivateTool('spare_sum', { reason: 'enough' })
    await on.maker.pauseTools({ reason })
    expect(live()).toEqual({})
    await on.maker.resumeTools({ signer: grace })
    expect(live()).toEqual({ first_sum: 1, other_sum: 5 })
    expect(await call(on, 'other_sum')).toBe(6)
    expect((await on.maker.history('first_sum')).map(({ event }) => event?.type)).not.toContain(
      'tool_tampered',
    )
  })

  test('holds over a new start', async () => {
    const first = await start()
    await make(first, 'first_sum')
    await first.maker.pauseTools({ reason })
    // Whatever brought it up again.
    outside.live.set('first_sum', 1)
    outside.up.add('first_sum')
    const second = await start()
    expect(live()).toEqual({})
    expect(await call(second, 'first_sum')).toBe('TOOLS_PAUSED')
    await second.maker.resumeTools({ signer: grace })
    expect(await call(second, 'first_sum')).toBe(2)
  })

  test.each<[string, (on: Workshop) => Promise<unknown>]>([
    ['asked for once more', ({ maker }) => maker.pauseTools({ reason })],
    ['looked at by the host', ({ maker }) => maker.inspectTools()],
  ])('that found nobody there takes it down when %s', async (_how, again) => {
    const on = await start()
    await make(on, 'first_sum')
    outside.isDown = true
    await on.maker.pauseTools({ reason })
    expect(await call(on, 'first_sum')).toBe('TOOLS_PAUSED')
    expect(live()).toEqual({ first_sum: 1 })
    outside.isDown = false
    await again(on)
    expect(live()).toEqual({})
  })

  test('refuses calls at once and ends in time, whatever a kind does', async () => {
    const settle = (): Promise<never> => new Promise(() => undefined)
    const on = await start({ kindTimeoutMs: 200 }, { settle })
    await make(on, 'first_sum')
    const pausing = on.maker.pauseTools({ reason })
    expect(await call(on, 'first_sum')).toBe('TOOLS_PAUSED')
    await pausing
    const resuming = on.maker.resumeTools({ signer: grace })
    await on.maker.pauseTools({ reason })
    await resuming
    expect(await call(on, 'first_sum'), 'the later pause holds').toBe('TOOLS_PAUSED')
  })

  test('keeps down what is put into use meanwhile, and what a failure puts back', async () => {
    const on = await start(
      {},
      {
        deploy: async (spec) => {
          outside.live.set(spec.name, (spec.definition as { add: number }).add)
          outside.up.add(spec.name)
          if (spec.version === 3) throw new Error('half way')
        },
      },
    )
    await make(on, 'first_sum')
    await on.maker.pauseTools({ reason })
    await make(on, 'first_sum', 5)
    await make(on, 'other_sum')
    expect(live()).toEqual({})
    expect(await codeOf(make(on, 'first_sum', 7))).toBe('ACTIVATION_FAILED')
    expect(live()).toEqual({})
    await on.maker.resumeTools({ signer: grace })
    expect(live()).toEqual({ first_sum: 5, other_sum: 1 })
  })

  test('does not look at what it has taken down, and says so', async () => {
    const on = await start()
    await make(on, 'first_sum')
    await on.maker.pauseTools({ reason })
    outside.live.set('first_sum', 666)
    outside.asked.length = 0
    expect(await on.maker.inspectTools()).toEqual([
      expect.objectContaining({
        name: 'first_sum',
        version: 1,
        state: 'unknown',
        reason: expect.stringContaining('paused'),
      }),
    ])
    expect(outside.asked).toEqual([])
    await on.maker.resumeTools({ signer: grace })
    expect(live(), 'what was approved, not what was put there').toEqual({ first_sum: 1 })
  })

  test('does not bring back what was found changed before', async () => {
    const on = await start({ inspectionLastsMs: 0 })
    await make(on, 'first_sum')
    outside.live.set('first_sum', 666)
    expect(await call(on, 'first_sum')).toBe('TOOL_TAMPERED')
    await on.maker.pauseTools({ reason })
    await on.maker.resumeTools({ signer: grace })
    expect(live()).toEqual({})
    expect(on.maker.listVersions('first_sum')[0]).toMatchObject({ status: 'deactivated' })
  })
})
