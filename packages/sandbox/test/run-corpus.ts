import { afterAll, beforeAll, describe as suite, expect, test } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts'
import { readCorpus, type CorpusCase } from './corpus-case.ts'
import { isContainedBy, judge, type CaseOutcome } from './corpus-verdict.ts'
import { CorpusWorld } from './corpus-world.ts'
import { LoopWatch, type LongestTurn } from './loop-watch.ts'

const canary = 'CANARY-7f3a9'
/** A turn has less than 100 on a machine without other work, which `bench` measures; nobody waits for seconds. */
const longestTurnMs = 1_000
/** The machine may do other work at the same time. */
const patience = 30
const lanes = 3
/** A case waits for its worker as well. */
const timeoutMs = 120_000

/**
 * Runs the cases of the folder `corpus` in one mode and holds them against what must be true after each.
 *
 * @param isRun whether a case of a file is run; every case by default
 */
export function runCorpus(
  mode: NonNullable<SandboxOptions['mode']>,
  isRun: (file: string, one: CorpusCase) => boolean = () => true,
): void {
  const free: Sandbox[] = []
  const waiting: ((sandbox: Sandbox) => void)[] = []
  const all: Sandbox[] = []
  const rejections: unknown[] = []
  const onRejection = (reason: unknown): void => void rejections.push(reason)
  let world: CorpusWorld

  beforeAll(async () => {
    process.env['TM_CANARY'] = canary
    process.on('unhandledRejection', onRejection)
    world = await CorpusWorld.open()
    for (let lane = 0; lane < lanes; lane += 1) {
      const sandbox = createSandbox({ mode, maxWorkers: 1 })
      all.push(sandbox)
      free.push(sandbox)
    }
  })

  afterAll(async () => {
    await Promise.all(all.map((sandbox) => sandbox.close()))
    await world.close()
    process.off('unhandledRejection', onRejection)
    delete process.env['TM_CANARY']
  })

  /** Each case has a worker for itself, because waiting for one counts as time of a call. */
  const withSandbox = async <Result>(
    use: (sandbox: Sandbox) => Promise<Result>,
  ): Promise<Result> => {
    const sandbox = free.pop() ?? (await new Promise<Sandbox>((take) => waiting.push(take)))
    try {
      return await use(sandbox)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(sandbox)
      else next(sandbox)
    }
  }

  for (const { name, cases: found } of readCorpus(new URL('./corpus/', import.meta.url))) {
    const cases = found.filter((one) => isRun(name, one))
    if (cases.length === 0) continue
    suite(`${name} in ${mode} mode`, () => {
      for (const one of cases) {
        test.concurrent(
          `${one.id}: ${one.what}`,
          async () => {
            const prototypes = describePrototypes()
            const run = await withSandbox((sandbox) => runCase(sandbox, one, world))
            expect(judge(one, run.outcomes)).toBe('')
            expect(JSON.stringify(run.outcomes)).not.toContain(canary)
            expect(describePrototypes()).toBe(prototypes)
            expect(world.seen.filter((host) => host !== 'allowed.test')).toEqual([])
            expect(rejections).toEqual([])
            expect(run.turn.cpuMs ?? run.turn.wallMs / 5).toBeLessThanOrEqual(longestTurnMs)
            if (one.maxWallMs !== undefined) {
              expect(run.wallMs).toBeLessThanOrEqual(patience * one.maxWallMs)
            }
            // The host goes on, and the next guest finds nothing.
            expect(await withSandbox(addInGuest)).toBe('3')
          },
          timeoutMs,
        )
      }
    })
  }
}

interface CaseRun {
  readonly outcomes: readonly CaseOutcome[]
  readonly turn: LongestTurn
  readonly wallMs: number
}

async function runCase(sandbox: Sandbox, one: CorpusCase, world: CorpusWorld): Promise<CaseRun> {
  const watch = new LoopWatch()
  const begin = performance.now()
  const outcomes = await callAll(sandbox, one, world)
  return { outcomes, wallMs: performance.now() - begin, turn: watch.stop() }
}

async function callAll(
  sandbox: Sandbox,
  one: CorpusCase,
  world: CorpusWorld,
): Promise<readonly CaseOutcome[]> {
  const loaded = await sandbox.load(
    { source: one.source },
    { timeoutMs: one.timeoutMs * (isEndlessWhenLoaded(one) ? 1 : patience) },
  )
  if (!loaded.ok) return [loaded]
  const outcomes: CaseOutcome[] = []
  const inputs = one.calls ?? [one.input ?? {}]
  for (const [index, input] of inputs.entries()) {
    outcomes.push(
      await sandbox.call(loaded.hash, JSON.stringify(input), {
        operations: world.operationsOf(one.policy),
        timeoutMs: one.timeoutMs * patienceWith(one, index === inputs.length - 1),
        maxOutputBytes: 65_536,
      }),
    )
  }
  sandbox.unload(loaded.hash)
  return outcomes
}

const isEndlessWhenLoaded = ({ expected }: CorpusCase): boolean =>
  Array.isArray(expected) && ['load', 'timeout'].every((reason) => expected.includes(reason))

/** A call that may end in any way often does at the end of its time. */
function patienceWith(one: CorpusCase, isLast: boolean): number {
  if (isContainedBy(one, 'timeout')) return 1
  return one.expected === 'last-ok' && !isLast ? 1 : patience
}

async function addInGuest(sandbox: Sandbox): Promise<string> {
  const loaded = await sandbox.load({ source: 'export default ({ a, b }) => a + b' })
  if (!loaded.ok) return loaded.message
  const outcome = await sandbox.call(loaded.hash, '{"a":1,"b":2}')
  return outcome.ok ? outcome.json : outcome.message
}

/** Every name and every function of the prototypes that a guest could reach if it came out. */
function describePrototypes(): string {
  const kinds = [Object, Function, Array, Promise, String, Number, Error, Map, Set, JSON, Reflect]
  return JSON.stringify(
    kinds.map((kind) => {
      const prototype: object = 'prototype' in kind ? kind.prototype : kind
      return Reflect.ownKeys(prototype).map((key) => {
        const descriptor = Object.getOwnPropertyDescriptor(prototype, key)
        const value: unknown = descriptor?.value
        return [String(key), typeof value, typeof value === 'function' ? value.name : '']
      })
    }),
  )
}
