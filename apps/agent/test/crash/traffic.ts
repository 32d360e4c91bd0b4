import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession } from './client-session.ts'
import type { Decider } from './decider.ts'
import type { KnownTools } from './known-tools.ts'
import { Proposer } from './proposer.ts'
import type { SeededRandom } from './seeded-random.ts'

/** What the clients of one host have in common. */
export interface Traffic {
  readonly session: ClientSession
  readonly tools: KnownTools
  readonly decider: Decider
  readonly random: SeededRandom
  readonly round: number
  /** Aborted when the host is to come to its end in good order. */
  readonly signal: AbortSignal
}

const agents = ['ada', 'bert', 'cleo']

/** Agents who propose, callers, and a person who decides, all at once. Resolves when they were told to stop, and have. */
export async function makeTraffic(traffic: Traffic): Promise<void> {
  const { decider, random, round, session, tools } = traffic
  let programs = 0
  const nextToken = (): number => {
    programs += 1
    return (round + 1) * 1_000_000 + programs
  }
  const acts = [
    ...agents.map((owner) => {
      const proposer = new Proposer(owner, { session, tools, nextToken })
      return (drawn: SeededRandom) => proposer.act(drawn)
    }),
    ...agents.map((owner) => (drawn: SeededRandom) => callMany(traffic, owner, drawn)),
    (drawn: SeededRandom) => decider.grant(drawn),
    (drawn: SeededRandom) => decider.stop(drawn),
  ]
  await Promise.all(
    acts.map((act) => repeat(act, { random: random.fork(), signal: traffic.signal })),
  )
}

async function repeat(
  act: (random: SeededRandom) => Promise<void>,
  { random, signal }: Pick<Traffic, 'random' | 'signal'>,
): Promise<void> {
  while (!signal.aborted) {
    await act(random)
    await wait(random.between(0, 10))
  }
}

async function callMany(traffic: Traffic, agent: string, random: SeededRandom): Promise<void> {
  const calls = Array.from({ length: random.between(1, 6) }, () => call(traffic, agent, random))
  await Promise.all(calls)
}

/** A call of a made tool, or one of the host's that ends in some other way. */
async function call(
  { session, tools }: Traffic,
  agent: string,
  random: SeededRandom,
): Promise<unknown> {
  const tool = tools.pick(random)
  const drawn = random.next()
  const ms = random.between(0, 60)
  if (tool !== undefined && drawn < 0.6)
    return session.call(tool.name, { x: ms }, { agent: tool.owner })
  if (drawn < 0.7) return session.call('wait_a_moment', { ms }, { agent })
  if (drawn < 0.76) return session.call('wait_in_spite', { ms }, { agent, timeoutMs: 30 })
  if (drawn < 0.82) {
    const signal = AbortSignal.timeout(random.between(1, 40))
    return session.call('wait_a_moment', { ms }, { agent, signal })
  }
  if (drawn < 0.86) return session.call('fail_at_once', {}, { agent })
  if (drawn < 0.9) {
    const length = random.pick([10, 100_000, 400_000])
    return session.call('say_much', { length }, { agent })
  }
  if (drawn < 0.94) return session.call('wait_a_moment', { ms: 'long' }, { agent })
  if (drawn < 0.96) return session.call('nobody_made_this', {}, { agent })
  return session.call('toolFactory_listCustomTools', {}, { agent })
}
