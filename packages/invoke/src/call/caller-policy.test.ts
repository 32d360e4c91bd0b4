import type { JsonObject, ToolContext } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHarness } from '../../test/harness.ts'

/** `undefined`: the tool names none for the calls that it makes. */
type Named = JsonObject | undefined

interface Seen {
  readonly policy: unknown
  readonly has: boolean
  readonly callers: readonly string[] | undefined
}

/** Three tools, each of which calls the next and may name a policy for it. */
async function runChain(first: Named, named: readonly [Named, Named]): Promise<Seen[]> {
  const { invoker, add } = createHarness()
  const seen: Seen[] = []
  const look = (context: ToolContext): void => {
    const { callerNames, callerPolicy } = context
    seen.push({ policy: callerPolicy, has: 'callerPolicy' in context, callers: callerNames })
  }
  const pass = (name: string, next: string, policy: Named): void =>
    add(name, async (_input, _signal, context) => {
      look(context)
      const { invoke } = context
      // As code that knows nothing of policies, and as code that does.
      const options = policy === undefined ? undefined : { callerPolicy: policy }
      return (await invoke(next, {}, options)).success
    })
  pass('a', 'b', named[0])
  pass('b', 'c', named[1])
  add('c', (_input, _signal, context) => look(context))
  await invoker.invoke('a', {}, first === undefined ? {} : { callerPolicy: first })
  return seen
}

const policy: fc.Arbitrary<Named> = fc.option(
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => value as JsonObject),
  { nil: undefined },
)

test('each call has the policy that its caller named, else the one that binds its caller', async () => {
  await fc.assert(
    fc.asyncProperty(policy, policy, policy, async (first, second, third) => {
      const seen = await runChain(first, [second, third])
      const wanted = [first, second ?? first, third ?? second ?? first]
      expect(seen).toHaveLength(3)
      for (const [index, one] of seen.entries()) {
        // The very object: nobody here reads, copies or judges it.
        expect(one.policy).toBe(wanted[index])
        expect(one.has).toBe(wanted[index] !== undefined)
      }
    }),
    { numRuns: 60 },
  )
})

test('a tool learns through whom it was called only where that matters', async () => {
  const bound = await runChain({}, [undefined, undefined])
  expect(bound.map(({ callers }) => callers)).toEqual([[], ['a'], ['a', 'b']])
  const free = await runChain(undefined, [undefined, undefined])
  expect(free.map(({ callers }) => callers)).toEqual([undefined, undefined, undefined])
})

test('a policy is never read: one that throws on every look passes through', async () => {
  const hostile = new Proxy<JsonObject>(
    {},
    {
      get: () => {
        throw new Error('read')
      },
      ownKeys: () => {
        throw new Error('listed')
      },
    },
  )
  const seen = await runChain(hostile, [undefined, undefined])
  expect(seen.map(({ policy: given }) => given === hostile)).toEqual([true, true, true])
})
