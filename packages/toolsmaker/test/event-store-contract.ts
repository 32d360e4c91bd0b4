import type { EventStore, LifecycleEvent } from '@toolcrib/toolsmaker'
import { afterEach, describe, expect, test } from 'vitest'
import { codeOf } from './bench-of-tests.ts'

/** Opens the same log again each time it is called within one test. */
export interface StoreFixture {
  open(namespace?: string): Promise<EventStore>
  remove(): Promise<void>
  /** Whether what is written outlives `close()`. */
  readonly durable: boolean
}

export function pauseEvent(reason: string): LifecycleEvent {
  return {
    type: 'tools_paused',
    at: '2030-01-01T00:00:00.000Z',
    actor: { kind: 'person', id: 'grace' },
    reason,
  }
}

/** What every event store must do. */
export function describeEventStore(name: string, makeFixture: () => Promise<StoreFixture>): void {
  describe(`the event store contract: ${name}`, () => {
    let fixture: StoreFixture | undefined
    const start = async (): Promise<StoreFixture> => (fixture = await makeFixture())
    afterEach(async () => {
      await fixture?.remove()
      fixture = undefined
    })

    test('an empty log reads as nothing and verifies', async () => {
      const store = await (await start()).open()
      expect(store.sequence).toBe(0)
      expect(await store.read()).toEqual([])
      expect(await store.verify()).toMatchObject({ ok: true, events: 0 })
      expect(await store.hashAt(1)).toBeUndefined()
      await store.close()
    })

    test('events come back in order, by range, with their sequence', async () => {
      const store = await (await start()).open()
      expect(await store.append([pauseEvent('a'), pauseEvent('b')], 0)).toBe(2)
      expect(await store.append([pauseEvent('ü€😀\n')], 2)).toBe(3)
      const reasons = async (from?: number, to?: number): Promise<unknown> =>
        (await store.read(from, to)).map(({ event, sequence }) => [
          sequence,
          event !== undefined && 'reason' in event ? event.reason : '',
        ])
      expect(await reasons()).toEqual([
        [1, 'a'],
        [2, 'b'],
        [3, 'ü€😀\n'],
      ])
      expect(await reasons(2)).toEqual([
        [2, 'b'],
        [3, 'ü€😀\n'],
      ])
      expect(await reasons(2, 2)).toEqual([[2, 'b']])
      expect(await reasons(4)).toEqual([])
      await store.close()
    })

    test('violations come back whole: of a version, of a tool without one, and in the form of earlier logs', async () => {
      const store = await (await start()).open()
      const frame = {
        type: 'tool_policy_blocked',
        at: '2030-01-01T00:00:00.000Z',
        actor: { kind: 'host', id: 'default' },
        name: 'http',
        reason: 'Refused: GET "http://10.0.0.1/".',
      } as const
      const facts = {
        rule: 'http.address',
        tried: 'GET "http://10.0.0.1/"',
        principal: { kind: 'agent', id: 'ada' },
        callId: '0198-1',
        count: 3,
      }
      const events: readonly LifecycleEvent[] = [
        { ...frame, version: 2, ...facts },
        { ...frame, ...facts },
        { ...frame, version: 2 },
      ]
      await store.append(events, 0)
      expect((await store.read()).map(({ event }) => event)).toEqual(events)
      expect(await store.verify()).toMatchObject({ ok: true, events: 3 })
      await store.close()
    })

    test('an append for another end of the log is refused and writes nothing', async () => {
      const store = await (await start()).open()
      await store.append([pauseEvent('a')], 0)
      expect(await codeOf(store.append([pauseEvent('b')], 0))).toBe('STORE_CONFLICT')
      expect(await codeOf(store.append([pauseEvent('b')], 2))).toBe('STORE_CONFLICT')
      expect(store.sequence).toBe(1)
      await store.close()
    })

    test('of appends at the same moment for the same end exactly one wins', async () => {
      const store = await (await start()).open()
      const codes = await Promise.all(
        ['a', 'b', 'c'].map((reason) => codeOf(store.append([pauseEvent(reason)], 0))),
      )
      expect(codes.toSorted()).toEqual(['STORE_CONFLICT', 'STORE_CONFLICT', 'nothing was thrown'])
      expect(await store.verify()).toMatchObject({ ok: true, events: 1 })
      await store.close()
    })

    test('the hash of a row is told, and another namespace has another one for the same events', async () => {
      const first = await start()
      const store = await first.open('one')
      await store.append([pauseEvent('a'), pauseEvent('b')], 0)
      const verified = await store.verify()
      expect(verified.ok && verified.headHash).toBe(await store.hashAt(2))
      expect(await store.hashAt(1)).toMatch(/^[0-9a-f]{64}$/)
      const head = await store.hashAt(2)
      await store.close()
      await first.remove()
      const other = await (await start()).open('two')
      await other.append([pauseEvent('a'), pauseEvent('b')], 0)
      expect(await other.hashAt(2)).not.toBe(head)
      await other.close()
    })

    test('a closed store takes and gives nothing, and closes twice', async () => {
      const store = await (await start()).open()
      await store.close()
      await store.close()
      expect(await codeOf(store.append([pauseEvent('a')], 0))).toBe('STORE_CLOSED')
      expect(await codeOf(store.read())).toBe('STORE_CLOSED')
      expect(await codeOf(store.verify())).toBe('STORE_CLOSED')
    })

    test('what was written is there after the store is opened again', async () => {
      const opened = await start()
      const store = await opened.open()
      await store.append([pauseEvent('a'), pauseEvent('b')], 0)
      const head = await store.hashAt(2)
      await store.close()
      const again = await opened.open()
      expect(again.sequence).toBe(opened.durable ? 2 : 0)
      expect(await again.hashAt(2)).toBe(opened.durable ? head : undefined)
      await again.close()
    })
  })
}
