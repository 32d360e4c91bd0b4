import { createInvoker } from '@toolcrib/invoke'
import type { ToolContext, ToolDefinition } from '@toolcrib/registry'
import {
  type ApprovalSigner,
  type MemoryTrust,
  type OutsideState,
  type ToolIntent,
  type ToolKind,
  createMemoryTrust,
  createToolsmaker,
} from '@toolcrib/toolsmaker'
import { ToolRegistry } from '@toolcrib/registry'
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
  readEvents,
  rewriteStore,
} from './bench-of-tests.ts'
import { type Outside, createOutside, createOutsideKind } from './outside-kind.ts'

const lastsMs = 30_000
const never = (): Promise<never> => new Promise(() => undefined)
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('told to stop')), { once: true })
  })

let folder: Awaited<ReturnType<typeof makeFolder>>
let grace: ApprovalSigner
let trust: MemoryTrust
let outside: Outside
const open = new Set<Workshop>()

beforeEach(async () => {
  folder = await makeFolder()
  grace = makeSigner('grace')
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    // One agent makes more tools in a moment than is usual.
    policy: { ownerLimits: { proposalsPerMinute: 100 } },
  })
  outside = createOutside()
})
afterEach(async () => {
  for (const { maker } of open) await maker.close()
  open.clear()
  await folder.remove()
})

/** Starts a program on the folder, after the one before has ended. */
async function start(
  options: WorkshopOptions = {},
  overrides: Partial<ToolKind> = {},
): Promise<Workshop> {
  for (const { maker } of open) await maker.close()
  open.clear()
  const workshop = await openWorkshop({
    store: await openFolder(folder.path),
    trust,
    grace,
    kinds: [createOutsideKind(outside, overrides)],
    ...options,
  })
  open.add(workshop)
  return workshop
}

async function make({ maker }: Workshop, overrides: Partial<ToolIntent> = {}): Promise<void> {
  const built = await maker.forAgent(agent).buildToolFromIntent(adderIntent(overrides))
  const { name, version } = built.spec
  if (built.status !== 'approval_required') return
  await maker.approveTool(name, version, { signer: grace })
  await maker.activateToolVersion(name, version, { signer: grace })
}

/** What a call gives, or the code and the message that it is refused with. */
async function call(workshop: Workshop, name = 'plus_some'): Promise<unknown> {
  try {
    return await callTool(workshop, name, { value: 1 })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${code ?? 'error'}: ${message}`
  }
}

const typesOf = async ({ maker }: Workshop): Promise<readonly string[]> =>
  (await maker.history('plus_some')).flatMap(({ event }) =>
    event === undefined ? [] : [event.type],
  )
const countOf = async (workshop: Workshop, type: string): Promise<number> =>
  (await typesOf(workshop)).filter((each) => each === type).length
const looks = (): number => outside.asked.filter((asked) => asked.startsWith('inspect')).length

describe('before a call', () => {
  test('a tool of high risk is looked at each time, others when the last look counts no longer', async () => {
    const workshop = await start()
    await make(workshop)
    await make(workshop, { name: 'risky_sum', risk: 'high' })
    expect(looks()).toBe(0)
    for (let round = 1; round <= 3; round += 1) {
      expect(await call(workshop, 'risky_sum')).toBe(2)
      expect(looks()).toBe(round)
    }
    expect([await call(workshop), await call(workshop), looks()]).toEqual([2, 2, 4])
    workshop.clock.now += lastsMs - 1
    expect([await call(workshop), looks()]).toEqual([2, 4])
    workshop.clock.now += 1
    expect([await call(workshop), looks()]).toEqual([2, 5])
    expect([await call(workshop), looks()]).toEqual([2, 5])
    workshop.clock.now -= 1
    expect([await call(workshop), looks()], 'a clock that was set back').toEqual([2, 6])
  })

  test('the age at which a look counts no longer is an option, with bounds', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    await make(workshop)
    expect([await call(workshop), await call(workshop), looks()]).toEqual([2, 2, 2])
    const half = await start({ inspectionLastsMs: 500 })
    const before = looks()
    half.clock.now += 499
    expect([await call(half), looks() - before]).toEqual([2, 0])
    half.clock.now += 1
    expect([await call(half), looks() - before]).toEqual([2, 1])
    for (const inspectionLastsMs of [-1, Number.NaN, 86_400_001, '5' as never])
      await expect(openWorkshop({ inspectionLastsMs })).rejects.toThrow(/inspectionLastsMs must be/)
  })

  test('what was changed is refused as tampered, on record once, taken down, and out of the registry', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    const { maker, registry } = workshop
    await make(workshop)
    expect(await call(workshop)).toBe(2)
    const held = registry.get('plus_some')
    outside.live.set('plus_some', 666)
    const answers = await Promise.all([call(workshop), call(workshop), call(workshop)])
    for (const answer of answers)
      expect(answer).toBe(
        'TOOL_TAMPERED: what lives outside was changed: it adds 666 there. It is out of use until a person activates it again.',
      )
    expect(registry.has('plus_some')).toBe(false)
    expect(await call(workshop)).toBe('not registered')
    await maker.checkProjections()
    expect((await typesOf(workshop)).slice(-2)).toEqual(['tool_tampered', 'tool_held'])
    expect((await maker.history('plus_some')).at(-2)?.event).toMatchObject({
      reason: 'what lives outside was changed: it adds 666 there',
      actor: { kind: 'host' },
    })
    await maker.expirePending()
    expect(outside.asked.slice(-2)).toEqual(['inspect plus_some v1', 'retire plus_some v1'])
    expect(outside.live.size).toBe(0)
    const [listed] = maker.listVersions('plus_some')
    expect(listed).toMatchObject({ status: 'deactivated', callable: false, held: true })
    expect((await maker.readReview('plus_some', 1))?.held).toEqual({
      reason: 'what lives outside was changed: it adds 666 there',
      evidence: [],
    })
    // Whoever still has the tool in hand gets no further.
    const late = held?.execute({ value: 1 }, new AbortController().signal, {
      principal: agent,
    } as ToolContext)
    expect(await codeOf(Promise.resolve(late))).toBe('TOOL_TAMPERED')
    expect(await countOf(workshop, 'tool_tampered')).toBe(1)
    expect(await maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('the caller is told by the invoker that nothing ran', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    await make(workshop)
    const done = async (): Promise<void> => undefined
    const invoker = createInvoker({
      registry: workshop.registry,
      log: { logToolStart: done, logToolComplete: done, logToolFailure: done, logToolLate: done },
      checkCallable: (tool, principal) => workshop.maker.checkCallable(tool, principal),
    })
    const ask = (): ReturnType<typeof invoker.invoke> =>
      invoker.invoke('plus_some', { value: 1 }, { principal: agent })
    expect(await ask()).toMatchObject({ success: true, output: 2 })
    outside.isDown = true
    expect(await ask()).toMatchObject({
      errorCode: 'TOOL_UNVERIFIED',
      error: expect.stringMatching(
        /^"plus_some" did not run: whether what lives outside .*the server is away\. Nothing was started/,
      ) as string,
    })
    outside.isDown = false
    expect(await ask()).toMatchObject({ success: true })
    outside.live.set('plus_some', 666)
    expect(await ask()).toMatchObject({
      errorCode: 'TOOL_TAMPERED',
      error: expect.stringContaining('did not run: what lives outside was changed') as string,
    })
    expect(await ask()).toMatchObject({ errorCode: 'TOOL_NOT_FOUND' })
    await invoker.close()
  })

  test.each<[string, (theirs: Outside) => void, RegExp]>([
    ['throws', (theirs) => (theirs.isDown = true), /the server is away/],
    ['hangs', (theirs) => (theirs.look = never), /"inspect" within 30 ms/],
    ['answers nothing', (theirs) => (theirs.answer = {} as never), /wrong form/],
    ['says yes', (theirs) => (theirs.answer = true as never), /wrong form|must be/],
    ['gives no reason', (theirs) => (theirs.answer = { state: 'changed' } as never), /wrong form/],
    [
      'says that it does not know',
      (theirs) => (theirs.answer = { state: 'unknown', reason: 'n8n is\u202e away.' }),
      /out: n8n is⟨U\+202E⟩ away\. Nothing was started/,
    ],
  ])('a kind that %s has every call refused, and no tool accused', async (_how, change, said) => {
    const workshop = await start({ inspectionLastsMs: 0, kindTimeoutMs: 30 })
    await make(workshop)
    change(outside)
    expect(await call(workshop)).toMatch(/^TOOL_UNVERIFIED: /)
    expect(await call(workshop)).toMatch(said)
    expect(workshop.registry.has('plus_some')).toBe(true)
    Object.assign(outside, {
      ...createOutside(),
      live: outside.live,
      asked: outside.asked,
      answer: undefined,
    })
    expect(await call(workshop)).toBe(2)
    expect(await countOf(workshop, 'tool_tampered')).toBe(0)
  })

  test('calls that come together share one look; one that is cancelled leaves the others theirs', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    await make(workshop, { risk: 'high' })
    const { promise, resolve } = Promise.withResolvers<void>()
    outside.look = () => promise
    const tool = workshop.registry.get('plus_some') as ToolDefinition
    const controllers = [new AbortController(), new AbortController(), new AbortController()]
    const calls = controllers.map(async ({ signal }) =>
      tool.execute({ value: 1 }, signal, { principal: agent } as ToolContext),
    )
    controllers[0]?.abort(new Error('no longer'))
    await expect(calls[0]).rejects.toThrow('no longer')
    resolve()
    expect(await Promise.all(calls.slice(1))).toEqual([2, 2])
    expect(looks()).toBe(1)
  })

  test('the kind is told when nobody waits for its answer any more', async () => {
    const workshop = await start()
    await make(workshop)
    let told = false
    outside.look = async (signal) => {
      await untilAborted(signal).catch(() => undefined)
      told = true
    }
    const tool = workshop.registry.get('plus_some') as ToolDefinition
    const controller = new AbortController()
    const pending = Promise.resolve(
      tool.execute({ value: 1 }, controller.signal, { principal: agent } as ToolContext),
    )
    controller.abort(new Error('no longer'))
    await expect(pending).rejects.toThrow('no longer')
    await expect.poll(() => told).toBe(true)
    outside.look = async () => undefined
    expect(await call(workshop)).toBe(2)
  })

  test('a version that was stopped while it was looked at does not run', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    const { maker, registry } = workshop
    await make(workshop)
    for (const [stop, code] of [
      [() => maker.pauseTools({ reason: 'enough' }), 'TOOLS_PAUSED'],
      [() => maker.revokeTool('plus_some', 1, { reason: 'enough' }), 'TOOL_REVOKED'],
    ] as const) {
      const { promise, resolve } = Promise.withResolvers<void>()
      outside.look = () => promise
      const tool = registry.get('plus_some') as ToolDefinition
      const pending = Promise.resolve(
        tool.execute({ value: 1 }, new AbortController().signal, {
          principal: agent,
        } as ToolContext),
      )
      await stop()
      resolve()
      expect(await codeOf(pending)).toBe(code)
      await maker.resumeTools({ signer: grace }).catch(() => undefined)
    }
  })

  test('what is changed while the tool runs is found at the next call', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    await make(workshop, { risk: 'high' })
    const first = call(workshop)
    expect(await first).toBe(2)
    outside.live.set('plus_some', 3)
    expect(await call(workshop)).toMatch(/^TOOL_TAMPERED/)
  })

  test('a version that is replaced while it is looked at is not accused', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    const { maker, registry } = workshop
    await make(workshop)
    const { promise, resolve } = Promise.withResolvers<void>()
    outside.look = () => promise
    const tool = registry.get('plus_some') as ToolDefinition
    const pending = Promise.resolve(
      tool.execute({ value: 1 }, new AbortController().signal, { principal: agent } as ToolContext),
    )
    await make(workshop, { definition: { add: 5 } })
    resolve()
    expect(await codeOf(pending)).toBe('TOOL_REVOKED')
    outside.look = async () => undefined
    expect(await call(workshop)).toBe(6)
    expect(maker.activeVersions()).toEqual({ plus_some: 2 })
    expect(await countOf(workshop, 'tool_tampered')).toBe(0)
    await maker.rollbackTool('plus_some', { signer: grace })
    expect(await call(workshop)).toBe(2)
  })

  test('a refused call does not wait for ever until its reason is on record', async () => {
    const gate: { release?: () => void } = {}
    const check: ToolKind['check'] = () =>
      new Promise((resolve) => {
        gate.release = () => {
          delete gate.release
          resolve([])
        }
      })
    const workshop = await start({ inspectionLastsMs: 0 }, { check })
    const { maker } = workshop
    const first = maker.forAgent(agent).buildToolFromIntent(adderIntent())
    await expect.poll(() => gate.release).toBeDefined()
    gate.release?.()
    await first
    // The queue of commands is busy with this.
    const busy = maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'other_sum' }))
    await expect.poll(() => gate.release).toBeDefined()
    outside.live.set('plus_some', 666)
    expect(await call(workshop)).toMatch(/^TOOL_TAMPERED/)
    expect(workshop.registry.has('plus_some')).toBe(false)
    gate.release?.()
    await busy
    await maker.expirePending()
    expect(await countOf(workshop, 'tool_tampered')).toBe(1)
  })
})

describe('at a start', () => {
  test('what was changed is not registered, said, taken down, and harms no other', async () => {
    const first = await start()
    await make(first)
    await make(first, { name: 'other_sum', definition: { add: 7 } })
    await first.maker.close()
    open.clear()
    outside.live.set('plus_some', 666)
    const kinds = [createOutsideKind(outside)]
    const registry = new ToolRegistry()
    const store = await openFolder(folder.path)
    const maker = await createToolsmaker({ store, trust, kinds, registry })
    expect(await maker.loadActiveTools()).toEqual({
      registered: 1,
      refused: [
        {
          name: 'plus_some',
          version: 1,
          code: 'TOOL_TAMPERED',
          reason: 'what lives outside was changed: it adds 666 there',
        },
      ],
    })
    expect(registry.list().map(({ name }) => name)).toEqual(['other_sum'])
    expect([...outside.live.keys()]).toEqual(['other_sum'])
    expect(maker.activeVersions()).toEqual({ other_sum: 1 })
    await maker.close()
    const again = await start()
    expect(await countOf(again, 'tool_tampered')).toBe(1)
    expect(await again.maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('what cannot be looked at is registered and logged, and each call looks again', async () => {
    await make(await start())
    outside.isDown = true
    const warned: object[] = []
    const none = (): void => undefined
    const workshop = await start({
      logger: { debug: none, info: none, error: none, warn: (data) => void warned.push(data) },
    })
    expect(warned).toMatchObject([
      {
        name: 'plus_some',
        version: 1,
        reason: expect.stringContaining('the server is away') as string,
      },
    ])
    expect(await call(workshop)).toMatch(/^TOOL_UNVERIFIED/)
    outside.isDown = false
    expect(await call(workshop)).toBe(2)
  })

  test('what was changed between the start and the call is found before it is called', async () => {
    await make(await start(), { risk: 'high' })
    const workshop = await start()
    outside.live.set('plus_some', 666)
    expect(await call(workshop)).toMatch(/^TOOL_TAMPERED/)
  })

  test('looking takes a bounded time, however many tools there are, and delays no more', async () => {
    const first = await start()
    const letters = Array.from({ length: 20 }, (_unused, index) => String.fromCodePoint(97 + index))
    for (const letter of letters)
      for (const half of ['first', 'last']) await make(first, { name: `sum_${half}_${letter}` })
    outside.look = never
    const began = performance.now()
    const workshop = await start({ kindTimeoutMs: 100 })
    // 40 of them in turns of 8 would take five times 100 ms.
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(looks()).toBeLessThanOrEqual(24)
    expect(workshop.registry.count()).toBe(40)
    outside.look = async () => undefined
  })

  test('kinds are told what is in use before they look, and may put it right', async () => {
    const told: string[][] = []
    const overrides: Partial<ToolKind> = {
      settle: async (inUse) => {
        told.push(inUse.map(({ name, version }) => `${name} v${version}`))
        for (const { definition, name } of inUse)
          outside.live.set(name, (definition as { add: number }).add)
      },
    }
    const first = await start({}, overrides)
    await make(first)
    await make(first, { name: 'other_sum' })
    await first.maker.deactivateTool('other_sum', { reason: 'enough' })
    outside.live.clear()
    const second = await start({}, overrides)
    expect(told).toEqual([[], ['plus_some v1']])
    expect(await call(second)).toBe(2)
  })

  test.each<[string, () => Promise<void>]>([
    ['throws', () => Promise.reject(new Error('the server is away'))],
    ['hangs', never],
  ])('a kind that %s while it puts things right delays nothing for ever', async (_how, settle) => {
    await make(await start())
    const workshop = await start({ kindTimeoutMs: 30 }, { settle })
    expect(await call(workshop)).toBe(2)
  })

  test('a start that is no longer wanted ends while it looks', async () => {
    const first = await start()
    await make(first)
    outside.look = untilAborted
    const controller = new AbortController()
    const loading = first.maker.loadActiveTools({ signal: controller.signal })
    await expect.poll(looks).toBe(1)
    controller.abort(new Error('no longer'))
    await expect(loading).rejects.toThrow('no longer')
    outside.look = async () => undefined
  })
})

describe('a version that was changed outside', () => {
  test('stays out of use also when somebody changes it back, until a person activates it again', async () => {
    const first = await start()
    await make(first)
    outside.live.set('plus_some', 666)
    const second = await start()
    outside.live.set('plus_some', 1)
    expect(await call(second)).toBe('not registered')
    await second.maker.loadActiveTools()
    expect(await call(second)).toBe('not registered')
    const third = await start()
    expect(await call(third)).toBe('not registered')
    // What a rule approved, a rule does not bring back.
    expect(await codeOf(third.maker.activateToolVersion('plus_some', 1, { byRule: true }))).toBe(
      'TOOL_HELD',
    )
    outside.live.set('plus_some', 777)
    await third.maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(outside.live.get('plus_some'), 'put up anew').toBe(1)
    expect(await call(third)).toBe(2)
    const fourth = await start()
    expect(await call(fourth)).toBe(2)
    expect(fourth.maker.listVersions('plus_some')[0]).not.toHaveProperty('held')
    // The person has lifted it: what came before does not hold it a second time.
    await fourth.maker.deactivateTool('plus_some', { reason: 'enough' })
    await fourth.maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await call(fourth)).toBe(2)
    expect(await fourth.maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('is not brought back with a signature of before, nor by a record that was added to', async () => {
    const first = await start()
    await make(first, { risk: 'high' })
    const statement = await first.maker.prepareDecision({
      action: 'share',
      name: 'plus_some',
      version: 1,
      approver: 'grace',
    })
    outside.live.set('plus_some', 666)
    const second = await start()
    const used = (await second.maker.history('plus_some')).findLast(
      ({ event }) => event?.type === 'tool_activated',
    )?.event
    if (used?.type !== 'tool_activated' || used.decision === undefined)
      throw new Error('Never used')
    expect(
      await codeOf(second.maker.activateToolVersion('plus_some', 1, { decision: used.decision })),
    ).toBe('DECISION_STALE')
    expect(statement.action).toBe('share')
    await second.maker.close()
    open.clear()
    outside.live.set('plus_some', 1)
    const events = await readEvents(folder.path)
    const { decision: _decision, ...unsigned } = used
    for (const added of [used, unsigned]) {
      await rewriteStore(folder.path, [...events, added])
      trust.readCheckpoint = async () => undefined
      const third = await start()
      expect(await call(third)).toBe('not registered')
      expect(third.maker.listVersions('plus_some')[0]).toMatchObject({ callable: false })
      await third.maker.close()
      open.clear()
    }
  })

  test('stays out of use in this process when that cannot be recorded, and at the next start if it is changed still', async () => {
    const disk = { full: false }
    const store = await openFolder(folder.path)
    const failing = Object.create(store, {
      append: {
        value: (...parts: Parameters<typeof store.append>) =>
          disk.full ? Promise.reject(new Error('no space')) : store.append(...parts),
      },
      read: { value: store.read.bind(store) },
      hashAt: { value: store.hashAt.bind(store) },
      close: { value: store.close.bind(store) },
    }) as typeof store
    const workshop = await openWorkshop({
      store: failing,
      trust,
      grace,
      kinds: [createOutsideKind(outside)],
      inspectionLastsMs: 0,
    })
    open.add(workshop)
    await make(workshop, { risk: 'high' })
    outside.live.set('plus_some', 666)
    disk.full = true
    expect(await call(workshop)).toMatch(/^TOOL_TAMPERED/)
    disk.full = false
    outside.live.set('plus_some', 1)
    // A signature that renews the approval does not bring it back by the way.
    await workshop.maker.approveTool('plus_some', 1, { signer: grace })
    expect(await call(workshop)).toBe('not registered')
    expect(await countOf(workshop, 'tool_held')).toBe(0)
    // Nor does a start, although nothing is changed outside any more.
    await workshop.maker.close()
    open.delete(workshop)
    const next = await start()
    expect(await call(next)).toBe('not registered')
    expect(next.maker.listVersions('plus_some')[0]?.status).toBe('deactivated')
    await next.maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await call(next)).toBe(2)
  })

  test('frees its name for the version before, which is put up again', async () => {
    const workshop = await start({ inspectionLastsMs: 0 })
    const { maker } = workshop
    await make(workshop)
    await make(workshop, { definition: { add: 5 } })
    outside.live.set('plus_some', 666)
    expect(await call(workshop)).toMatch(/^TOOL_TAMPERED/)
    await maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await call(workshop)).toBe(2)
    expect(outside.live.get('plus_some')).toBe(1)
  })
})

describe('looking at the operator’s wish', () => {
  test('tells of each tool in use, and takes out what was changed', async () => {
    const workshop = await start()
    const { maker } = workshop
    for (const name of ['plus_some', 'other_sum', 'third_sum']) await make(workshop, { name })
    outside.live.set('other_sum', 666)
    const unknown: OutsideState = { state: 'unknown', reason: 'n8n is away' }
    expect(await maker.inspectTools()).toEqual([
      {
        name: 'other_sum',
        version: 1,
        kind: 'compute',
        state: 'changed',
        reason: 'it adds 666 there',
      },
      { name: 'plus_some', version: 1, kind: 'compute', state: 'intact' },
      { name: 'third_sum', version: 1, kind: 'compute', state: 'intact' },
    ])
    expect(workshop.registry.list().map(({ name }) => name)).toEqual(['plus_some', 'third_sum'])
    expect(maker.activeVersions()).toEqual({ plus_some: 1, third_sum: 1 })
    outside.answer = unknown
    expect(await maker.inspectTools({ name: 'plus_some' })).toEqual([
      { name: 'plus_some', version: 1, kind: 'compute', ...unknown },
    ])
    expect(await maker.inspectTools({ name: 'other_sum' })).toEqual([])
    expect(await codeOf(maker.inspectTools({ name: 'no_such' }))).toBe('VERSION_NOT_FOUND')
    expect(await codeOf(maker.inspectTools({ signal: AbortSignal.abort(new Error('x')) }))).toBe(
      'Error: x',
    )
  })

  test('finds nothing to look at where nothing lives outside', async () => {
    const workshop = await openWorkshop()
    await make(workshop)
    expect(await workshop.maker.inspectTools()).toEqual([])
  })
})

describe('putting into use', () => {
  test('tells the kind which version it follows, and taking out which one stays', async () => {
    const workshop = await start()
    const { maker } = workshop
    await make(workshop)
    await make(workshop, { definition: { add: 5 } })
    await maker.rollbackTool('plus_some', { signer: grace })
    await maker.deactivateTool('plus_some', { reason: 'enough' })
    expect(outside.asked).toEqual([
      'deploy plus_some v1',
      'deploy plus_some v2 after v1',
      'retire plus_some v1 for v2',
      'deploy plus_some v1 after v2',
      'retire plus_some v2 for v1',
      'retire plus_some v1',
    ])
  })

  test('that fails half way leaves the version before live', async () => {
    const kind: Partial<ToolKind> = {
      deploy: async (spec) => {
        outside.live.set(spec.name, (spec.definition as { add: number }).add)
        if (spec.version === 2) throw new Error('half way')
      },
    }
    const workshop = await start({ inspectionLastsMs: 0 }, kind)
    await make(workshop)
    expect(await codeOf(make(workshop, { definition: { add: 5 } }))).toBe('ACTIVATION_FAILED')
    expect(outside.asked.at(-1)).toBe('retire plus_some v2 for v1')
    expect(await call(workshop)).toBe(2)
    expect(await countOf(workshop, 'tool_tampered')).toBe(0)
  })

  test('never puts up again what only the log calls active', async () => {
    await make(await start())
    const broken: Partial<ToolKind> = {
      deploy: async (spec) => {
        outside.asked.push(`deploy v${spec.version}`)
        if (spec.version === 2) throw new Error('half way')
      },
    }
    outside.live.set('plus_some', 1)
    const second = await start({}, broken)
    // The policy knows no rule any more, so version 1 is on record as active and refused.
    Object.assign(trust, { policy: () => ({ ...createMemoryTrust().policy(), rules: [] }) })
    await second.maker.loadActiveTools()
    expect(await call(second)).toBe('not registered')
    outside.asked.length = 0
    expect(await codeOf(make(second, { definition: { add: 5 } }))).toBe('ACTIVATION_FAILED')
    expect(outside.asked).toEqual(['deploy v2', 'retire plus_some v2'])
  })
})
