import { expect, test } from 'vitest'
import type { ContainmentRequest } from './choose-containment.ts'
import type { Containment, ContainmentName } from './containment.ts'
import { processGroup } from './containment-process-group.ts'
import { rememberContainment } from './remember-containment.ts'

const { signal } = new AbortController()
const request = (containment: ContainmentRequest['containment']): ContainmentRequest => ({
  containment,
  workspace: '/srv/workspace',
  readable: [],
  hidden: [],
  network: 'none',
})
const named = (name: ContainmentName): Containment => ({ ...processGroup, name })

function remember(wanted: ContainmentRequest['containment'], found: (ContainmentName | Error)[]) {
  let time = 0
  let trials = 0
  const contain = rememberContainment(request(wanted), {
    now: () => time,
    choose: async () => {
      const next = found[Math.min(trials, found.length - 1)] ?? 'process-group'
      trials += 1
      await Promise.resolve()
      if (next instanceof Error) throw next
      return named(next)
    },
  })
  return {
    at: async (milliseconds: number): Promise<string> => {
      time = milliseconds
      return (await contain(signal)).name
    },
    contain,
    trials: (): number => trials,
  }
}

test('the best there is is looked for once', async () => {
  const { at, trials } = remember('best', ['bubblewrap'])
  expect([await at(0), await at(1), await at(1e9)]).toEqual(Array(3).fill('bubblewrap'))
  expect(trials()).toBe(1)
})

test.each(['namespace', 'process-group'] as const)(
  'when only %s worked, what is better is tried again after 30 s',
  async (weaker) => {
    const { at, trials } = remember('best', [weaker, weaker, 'bubblewrap'])
    expect([await at(0), await at(29_999)]).toEqual([weaker, weaker])
    expect(trials()).toBe(1)
    expect([await at(30_000), await at(59_999)]).toEqual([weaker, weaker])
    expect(trials()).toBe(2)
    expect([await at(60_000), await at(1e9)]).toEqual(['bubblewrap', 'bubblewrap'])
    expect(trials()).toBe(3)
  },
)

test('a containment that was asked for by name is kept', async () => {
  const { at, trials } = remember('process-group', ['process-group'])
  expect([await at(0), await at(1e9)]).toEqual(['process-group', 'process-group'])
  expect(trials()).toBe(1)
})

test('calls that come together share a trial, and one that failed is not kept', async () => {
  const { at, contain, trials } = remember('bubblewrap', [new Error('not here'), 'bubblewrap'])
  const outcomes = await Promise.allSettled([contain(signal), contain(signal)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(trials()).toBe(1)
  expect(await at(0)).toBe('bubblewrap')
})

test('a call that is aborted while the trial hangs is over at once, and others wait on', async () => {
  let found!: (containment: Containment) => void
  const contain = rememberContainment(request('best'), {
    choose: () => new Promise((resolve) => (found = resolve)),
  })
  const controller = new AbortController()
  const aborted = contain(controller.signal)
  const waiting = contain(signal)
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  found(named('bubblewrap'))
  expect((await waiting).name).toBe('bubblewrap')
})
