import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LifecycleEvent, MemoryTrust } from '@toolcrib/toolsmaker'
import {
  type SignedDecision,
  createMemoryTrust,
  readDecision,
  signDecision,
} from '@toolcrib/toolsmaker'
import { canonicalJson } from '@toolcrib/registry'
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
  withoutMemory,
} from './bench-of-tests.ts'

const grace = makeSigner('grace')
const approvers = [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }]
let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
let shop: Workshop

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({ approvers })
})
afterEach(async () => {
  await shop.maker.close()
  await folder.remove()
})

const open = async (path = folder.path): Promise<Workshop> => {
  shop = await openWorkshop({ store: await openFolder(path), trust, grace })
  return shop
}

/** Closes, changes the lines of the log, and opens again. */
const reopen = async (
  change: (lines: string[]) => string[] = (lines) => lines,
): Promise<Workshop> => {
  await shop.maker.close()
  const log = join(folder.path, 'store/audit.jsonl')
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  await writeFile(log, `${change(lines).join('\n')}\n`)
  return open()
}

const makeTool = async (): Promise<void> => {
  await open()
  const { status } = await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  if (status !== 'activated') {
    await shop.maker.approveTool('plus_some', 1, { signer: grace })
    await shop.maker.activateToolVersion('plus_some', 1, { signer: grace })
  }
  expect(await call()).toBe(3)
}
const call = (): Promise<unknown> => callTool(shop, 'plus_some', { value: 2 })
const withoutLast = (lines: string[]): string[] => lines.slice(0, -1)
const accept = () => shop.maker.acceptLog({ signer: grace })

describe('a log that loses a stop', () => {
  test('that was a pause starts paused, and is still paused once a person accepts the log', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'an incident' })
    await reopen(withoutLast)

    expect(shop.maker.logProblem).toMatch(/the log was cut/)
    expect(shop.maker.paused?.reason).toMatch(/not the one that this host knows/)
    expect(await call()).toBe('TOOLS_PAUSED')
    await expect(shop.maker.resumeTools({ signer: grace })).rejects.toMatchObject({
      code: 'TRANSITION_REFUSED',
    })

    await accept()
    expect(shop.maker.logProblem).toBeUndefined()
    expect(await call()).toBe('TOOLS_PAUSED')
    await reopen()
    expect(await call()).toBe('TOOLS_PAUSED')

    await shop.maker.resumeTools({ signer: grace })
    expect(await call()).toBe(3)
    await reopen()
    expect(shop.maker.paused).toBeUndefined()
    expect(await call()).toBe(3)
  })

  test('that was a deactivation keeps the version out of use until a decision lifts that very stop', async () => {
    await makeTool()
    await shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })
    await reopen(withoutLast)

    expect(await call()).toBe('not registered')
    await accept()
    expect(shop.maker.paused).toBeUndefined()
    expect(await call()).toBe('not registered')
    await reopen()
    expect(await call()).toBe('not registered')

    await shop.maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await call()).toBe(3)
    await reopen()
    expect(await call()).toBe(3)
  })

  test('and gets back an activation from before the stop does not have it in use', async () => {
    await makeTool()
    await shop.maker.deactivateTool('plus_some', { reason: 'first' })
    await shop.maker.activateToolVersion('plus_some', 1, { signer: grace })
    await shop.maker.deactivateTool('plus_some', { reason: 'second' })
    await reopen(withoutLast)
    await accept()
    expect(await call()).toBe('not registered')
  })

  test('while it waits to be accepted still takes stops, which outlive the next cut as well', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'an incident' })
    await reopen(withoutLast)
    await shop.maker.deactivateTool('plus_some', { reason: 'to be sure' })
    await reopen(withoutLast)
    await accept()
    await shop.maker.resumeTools({ signer: grace })
    expect(await call()).toBe('not registered')
  })
})

describe('what somebody writes into the log', () => {
  test('does not lift a stop, whatever an unsigned activation says that it lifts', async () => {
    await makeTool()
    await shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })
    const events = await shop.maker.listEvents()
    const stop = events.findLast(({ event }) => event?.type === 'tool_deactivated')
    const first = events.find(({ event }) => event?.type === 'tool_approved')?.event
    await shop.maker.close()
    const log = await openFolder(folder.path)
    const eventHash = await log.hashAt(stop?.sequence ?? 0)
    const decision =
      'decision' in (first ?? {}) ? (first as { decision: SignedDecision }).decision : undefined
    if (decision === undefined) throw new Error('It was never approved')
    const statement = {
      ...readDecision(decision).statement,
      lifts: eventHash,
      basis: stop?.sequence,
    }
    const forged = {
      ...decision,
      payload: Buffer.from(canonicalJson(statement as never)).toString('base64'),
    }
    const frame = {
      at: '2030-01-01T00:00:00.000Z',
      actor: { kind: 'person', id: 'grace' },
      name: 'plus_some',
      version: 1,
    } as const
    await log.append(
      [
        { ...frame, type: 'tool_activated', approvalId: '', decision: forged },
        { ...frame, type: 'tool_superseded', by: 2 },
      ],
      log.sequence,
    )
    await log.close()
    await open()
    await reopen((lines) => lines.slice(0, -3))
    await accept()
    expect(await call()).toBe('not registered')
  })

  test('takes the place of no pause that is in force', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'an incident' })
    await shop.maker.close()
    const log = await openFolder(folder.path)
    const at = '2030-01-01T00:00:00.000Z'
    await log.append(
      [{ type: 'tools_paused', at, actor: { kind: 'person', id: 'grace' }, reason: 'routine' }],
      log.sequence,
    )
    await log.close()
    await open()
    expect(shop.maker.paused?.reason).toBe('an incident')
  })

  test('has no rule bring back what a person stopped', async () => {
    await makeTool()
    await shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })
    await reopen((lines) => lines.slice(0, 1))
    await accept()
    const { status } = await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
    expect(status).toBe('approval_required')
    expect(await call()).toBe('not registered')
  })
})

describe('the identity of the log', () => {
  test('says which host began it: a log of another host starts paused on one that has seen none, until a person accepts it', async () => {
    await makeTool()
    await shop.maker.close()
    trust = createMemoryTrust({ approvers })
    await open()
    expect(shop.maker.logProblem).toMatch(/another host began it/)
    expect(await call()).not.toBe(3)
    await reopen()
    expect(shop.maker.logProblem).toMatch(/another host began it/)
    await accept()
    expect(shop.maker.logProblem).toBeUndefined()
    await reopen()
    expect(shop.maker.logProblem).toBeUndefined()
  })

  test('holds for a host that lost what it remembered, and kept its key', async () => {
    await makeTool()
    trust = withoutMemory(trust)
    await reopen()
    expect(shop.maker.logProblem).toBeUndefined()
    expect(await call()).toBe(3)
  })

  test('is pinned when it is first opened: a log of another host starts paused', async () => {
    await makeTool()
    await shop.maker.close()
    const other = await makeFolder()
    const foreign = await openWorkshop({
      store: await openFolder(other.path),
      trust: createMemoryTrust({ approvers }),
      grace,
    })
    await foreign.maker.forAgent(agent).buildToolFromIntent(adderIntent())
    await foreign.maker.close()

    await open(other.path)
    expect(shop.maker.logProblem).toBeDefined()
    expect(await call()).not.toBe(3)
    await shop.maker.close()
    await other.remove()
    await open()
    expect(shop.maker.logProblem).toBeUndefined()
    expect(await call()).toBe(3)
  })

  test('holds for a log that was removed as a whole', async () => {
    await makeTool()
    await shop.maker.close()
    await rm(join(folder.path, 'store/audit.jsonl'))
    await open()
    expect(shop.maker.logProblem).toMatch(/the log was cut/)
    expect(shop.maker.paused).toBeDefined()
  })
})

describe('a log that loses its end after it was acknowledged', () => {
  const proposeAnother = async (): Promise<void> => {
    await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add: 9 } }))
    await shop.maker.approveTool('plus_some', 2, { signer: grace })
    await shop.maker.activateToolVersion('plus_some', 2, { signer: grace })
    expect(await call()).toBe(11)
  }
  /** Ends like a process that is killed: nothing is remembered from here on. */
  const killAndCut = async (type: string, foreign: object[] = []): Promise<void> => {
    trust = { ...trust, saveCheckpoint: async () => undefined }
    await shop.maker.close()
    const store = await openFolder(folder.path)
    if (foreign.length > 0) await store.append(foreign as LifecycleEvent[], store.sequence)
    await store.close()
    const log = join(folder.path, 'store/audit.jsonl')
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
    const end = lines.findLastIndex((line) => line.includes(`"${type}"`))
    await writeFile(log, `${lines.slice(0, end).join('\n')}\n`)
    await open()
  }

  test.each([[], [{ type: 'tool_tampered', name: 'nobody_knows', version: 1, reason: 'x' }]])(
    'in a rollback starts paused, also when somebody had added a row that says nothing',
    async (...rows) => {
      await makeTool()
      await proposeAnother()
      if (rows.length > 0) {
        await shop.maker.close()
        const store = await openFolder(folder.path)
        const frame = { at: '2030-01-01T00:00:00.000Z', actor: { kind: 'host', id: 'default' } }
        const events = rows.map((row) => ({ ...frame, ...row })) as LifecycleEvent[]
        await store.append(events, store.sequence)
        await store.close()
        await open()
        expect(await shop.maker.verifyAudit()).toMatchObject({ ok: false })
      }
      await shop.maker.rollbackTool('plus_some', { signer: grace })
      expect(await call()).toBe(3)
      await killAndCut('tool_superseded')
      expect(shop.maker.logProblem).toMatch(/the log was cut/)
      expect(await call()).toBe('TOOLS_PAUSED')
    },
  )

  test('in a rejection starts paused', async () => {
    await makeTool()
    await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add: 9 } }))
    await shop.maker.rejectTool('plus_some', 2, { reason: 'not this' })
    await killAndCut('tool_rejected')
    expect(shop.maker.logProblem).toMatch(/the log was cut/)
  })
})

describe('a pause whose end somebody wrote into the log', () => {
  test('is in force, is the one that is shown, and is the one that a person ends, whatever pauses follow', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'never before Mary has looked' })
    const { eventHash, sequence } = shop.maker.paused ?? {}
    await shop.maker.close()
    const payload = Buffer.from(
      JSON.stringify({ action: 'resume', lifts: eventHash, basis: sequence, approver: 'host' }),
    ).toString('base64')
    const forged = {
      payloadType: 'application/vnd.toolcrib.decision.v2+json',
      payload,
      signatures: [{ keyid: 'x', sig: 'x' }],
    }
    const frame = { at: '2030-01-01T00:00:00.000Z', actor: { kind: 'person', id: 'grace' } }
    for (const events of [
      [{ ...frame, type: 'tools_resumed', decision: forged, confirmation: forged }],
      [{ ...frame, type: 'tools_paused', reason: 'a fire drill, safe to resume' }],
      [
        { ...frame, type: 'tools_resumed', decision: forged, confirmation: forged },
        { ...frame, type: 'tools_paused', reason: 'another drill' },
      ],
    ]) {
      // oxlint-disable no-await-in-loop -- one start after the other
      const store = await openFolder(folder.path)
      await store.append(events as unknown as LifecycleEvent[], store.sequence)
      await store.close()
      await open()
      expect(shop.maker.paused).toMatchObject({
        reason: 'never before Mary has looked',
        eventHash,
        sequence,
      })
      expect(await call()).toBe('TOOLS_PAUSED')
      await shop.maker.close()
      // oxlint-enable no-await-in-loop
    }
    await open()
    const statement = await shop.maker.prepareDecision({ action: 'resume', approver: 'grace' })
    expect(statement).toMatchObject({ basis: sequence, lifts: eventHash })
    await shop.maker.resumeTools({ signer: grace })
    expect(await call()).toBe(3)
    await reopen()
    expect(await call()).toBe(3)
  })

  test('tells its reason as people may read it, and no more of it than a reason may have', async () => {
    await makeTool()
    await shop.maker.close()
    const frame = { at: '2030-01-01T00:00:00.000Z', actor: { kind: 'person', id: 'grace' } }
    const store = await openFolder(folder.path)
    const reason = `stop\u202e${'x'.repeat(1_000_000)}`
    await store.append(
      [{ ...frame, type: 'tools_paused', reason } as LifecycleEvent],
      store.sequence,
    )
    await store.close()
    await open()
    expect(shop.maker.paused?.reason).toMatch(/^stop⟨U\+202E⟩x+$/)
    expect(shop.maker.paused?.reason.length).toBeLessThan(2_100)
  })
})

describe('a deactivation whose end and whose successor somebody wrote into the log', () => {
  test('is the one that a decision has to name', async () => {
    await makeTool()
    await shop.maker.deactivateTool('plus_some', { reason: 'never again' })
    const events = await shop.maker.history('plus_some')
    const revision = events.at(-1)?.sequence ?? 0
    await shop.maker.close()
    const used = events.findLast(({ event }) => event?.type === 'tool_activated')?.event
    const payload = Buffer.from(JSON.stringify({ action: 'activate', basis: revision }))
    const forged = {
      payloadType: 'application/vnd.toolcrib.decision.v2+json',
      payload: payload.toString('base64'),
      signatures: [{ keyid: 'x', sig: 'x' }],
    }
    const store = await openFolder(folder.path)
    const stopped = events.at(-1)?.event
    await store.append(
      [
        { ...used, decision: forged },
        { ...stopped, reason: 'a fire drill' },
      ] as LifecycleEvent[],
      store.sequence,
    )
    const first = await store.hashAt(revision)
    await store.close()
    await open()
    expect(await call()).toBe('not registered')
    const subject = { name: 'plus_some', version: 1, approver: 'grace' } as const
    const statement = await shop.maker.prepareDecision({ action: 'activate', ...subject })
    expect(statement).toMatchObject({ lifts: first })
  })
})

describe('a pause that is asked for while another one is in force', () => {
  test('is on record, and is ended by no decision that was prepared before it', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'a weekly look' })
    const early = await shop.maker.prepareDecision({ action: 'resume', approver: 'grace' })
    const decision = await signDecision(early, grace)
    await shop.maker.pauseTools({ reason: 'an incident' })
    expect(shop.maker.paused?.reason).toBe('an incident')
    await expect(shop.maker.resumeTools({ decision })).rejects.toMatchObject({
      code: 'DECISION_STALE',
    })
    await reopen()
    expect(shop.maker.paused?.reason).toBe('an incident')
    await expect(shop.maker.resumeTools({ decision })).rejects.toMatchObject({
      code: 'DECISION_STALE',
    })
    await shop.maker.resumeTools({ signer: grace })
    expect(await call()).toBe(3)
    await reopen()
    expect(await call()).toBe(3)
  })
})

describe('a stop on a log that this host has not accepted', () => {
  test('outlasts the log that loses it, once a person accepts that', async () => {
    await makeTool()
    await shop.maker.close()
    trust = createMemoryTrust({ approvers })
    await open()
    expect(shop.maker.logProblem).toBeDefined()
    await shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })
    await reopen((lines) =>
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('tool_deactivated')),
      ),
    )
    expect(shop.maker.logProblem).toBeDefined()
    await accept()
    expect(await call()).toBe('not registered')
    await reopen()
    expect(await call()).toBe('not registered')
  })
})

describe('a deactivation', () => {
  test.each(['by an operator', 'by its owner'])(
    'is in force at once, whatever waits before it, and is undone by no end of the wait: %s',
    async (who) => {
      const asked = Promise.withResolvers<void>()
      const deployed = Promise.withResolvers<void>()
      const kind = createAdderKind({
        kind: 'slow',
        deploy: () => {
          asked.resolve()
          return deployed.promise
        },
        retire: async () => undefined,
      })
      await shop?.maker.close()
      shop = await openWorkshop({ trust, grace, kinds: [createAdderKind(), kind] })
      const ada = shop.maker.forAgent(agent)
      await ada.buildToolFromIntent(adderIntent())
      await ada.buildToolFromIntent(adderIntent({ name: 'slow_sum', kind: 'slow' }))
      await shop.maker.approveTool('slow_sum', 1, { signer: grace })
      const slow = shop.maker.activateToolVersion('slow_sum', 1, { signer: grace })
      await asked.promise
      const stopping =
        who === 'by its owner'
          ? ada.deactivate('plus_some')
          : shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })
      expect(await call()).toBe('TOOL_REVOKED')
      deployed.resolve()
      await Promise.all([slow, stopping])
      expect(await call()).toBe('not registered')
      await shop.maker.activateToolVersion('plus_some', 1, { signer: grace })
      expect(await call()).toBe(3)
    },
  )
})

describe('a stop whose event cannot be recorded', () => {
  /** One byte of somebody else behind the log, which the next start cuts off. */
  const addByte = (): Promise<void> => appendFile(join(folder.path, 'store/audit.jsonl'), 'x')

  test('is in force here and after a restart, for a deactivation, until a person lifts it', async () => {
    await makeTool()
    await addByte()
    await expect(
      shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' }),
    ).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    expect(await call()).toBe('not registered')
    await reopen((lines) => lines.map((line) => (line === 'x' ? '' : line)).filter(Boolean))
    expect(await call()).toBe('not registered')
    expect(shop.maker.listVersions('plus_some')[0]?.status).toBe('deactivated')
    await shop.maker.activateToolVersion('plus_some', 1, { signer: grace })
    await reopen()
    expect(await call()).toBe(3)
  })

  test('is in force here and after a restart, for a pause, until a person ends it', async () => {
    await makeTool()
    await addByte()
    await expect(shop.maker.pauseTools({ reason: 'an incident' })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
    })
    expect(shop.maker.paused?.reason).toBe('an incident')
    await reopen((lines) => lines.filter((line) => line !== 'x'))
    expect(await call()).toBe('TOOLS_PAUSED')
    await shop.maker.resumeTools({ signer: grace })
    expect(await call()).toBe(3)
    await reopen()
    expect(await call()).toBe(3)
  })
})

describe('the acknowledgement of a stop', () => {
  test('is not given to whoever asks again before the stop is kept', async () => {
    await makeTool()
    const save = trust.saveCheckpoint.bind(trust)
    const full = async (): Promise<void> => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    trust.saveCheckpoint = full
    await expect(shop.maker.pauseTools({ reason: 'one' })).rejects.toThrow(/could undo/)
    await expect(shop.maker.pauseTools({ reason: 'two' })).rejects.toThrow(/could undo/)
    trust.saveCheckpoint = save
    await shop.maker.pauseTools({ reason: 'three' })
    trust = { ...trust, saveCheckpoint: async () => undefined }
    await reopen((lines) => lines.filter((line) => !line.includes('tools_paused')))
    expect(shop.maker.paused).toBeDefined()
    expect(await call()).toBe('TOOLS_PAUSED')
  })

  test('waits for the checkpoint: without it the stop holds here, and whoever asked is told', async () => {
    await makeTool()
    const save = trust.saveCheckpoint.bind(trust)
    trust.saveCheckpoint = async () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    await expect(shop.maker.deactivateTool('plus_some', { reason: 'it is wrong' })).rejects.toThrow(
      /could be undone|could undo/,
    )
    expect(await call()).toBe('not registered')

    trust.saveCheckpoint = save
    // The next event makes up for it.
    await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'plus_more' }))
    await reopen((lines) =>
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('tool_deactivated')),
      ),
    )
    expect(shop.maker.logProblem).toBeDefined()
    await accept()
    expect(await call()).toBe('not registered')
  })
})

describe('accepting a log', () => {
  test('is refused where the log is the known one, and by anybody who is no approver', async () => {
    await makeTool()
    await expect(accept()).rejects.toMatchObject({ code: 'TRANSITION_REFUSED' })
    await shop.maker.pauseTools({ reason: 'an incident' })
    await reopen(withoutLast)
    await expect(shop.maker.acceptLog({ signer: makeSigner('mallory') })).rejects.toMatchObject({
      code: 'APPROVER_UNKNOWN',
    })
    await expect(shop.maker.acceptLog({ signer: makeSigner('grace') })).rejects.toMatchObject({
      code: 'DECISION_INVALID',
    })
    expect(shop.maker.logProblem).toBeDefined()
  })

  test('is good for the very log that was looked at', async () => {
    await makeTool()
    await shop.maker.pauseTools({ reason: 'an incident' })
    await reopen(withoutLast)
    const statement = await shop.maker.prepareDecision({ action: 'accept_log', approver: 'grace' })
    const decision = await signDecision(statement, grace)
    await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'plus_more' }))
    await expect(shop.maker.acceptLog({ decision })).rejects.toMatchObject({
      code: 'DECISION_STALE',
    })
  })
})
