import { setTimeout as wait } from 'node:timers/promises'
import { CrashFolder } from './crash-folder.ts'
import { CrashHost } from './crash-host.ts'
import type { Fact } from './fact.ts'
import { type KillReport, emptyReport } from './kill-report.ts'
import { Promises } from './promises.ts'
import { SeededRandom } from './seeded-random.ts'

/** How hosts are killed. */
export interface KillSeries {
  readonly kills: number
  readonly seed: number
  /**
   * How much clients are let do at most before a kill; how much it is, is drawn for each.
   *
   * @default 220 calls and 12 proposals, so that a kill sees more than a hundred calls on average
   */
  readonly upTo?: { readonly answers: number; readonly proposals: number }
  /** Of a Postgres for the call log; without it the log is embedded. */
  readonly databaseUrl?: string
  /** Runs while clients work, such as something that cuts their connections. */
  readonly meanwhile?: (signal: AbortSignal) => Promise<void>
  /** Is told now and then how far it is. */
  readonly onProgress?: (report: KillReport) => void
}

/** How many kills a data folder sees, so that later ones do not only read an ever longer record. */
const killsOfFolder = 10
const shareAtStart = 0.2
const leastAnswers = 20
/** How long after that the kill may come, in milliseconds. */
const longestDelayMs = 25
/** How long a start is taken to be before one was measured. */
const firstStartMs = 1_500

/** Kills hosts on one data folder after the other at moments drawn from the seed, and lists every promise that was broken. */
export async function killHosts(series: KillSeries): Promise<KillReport> {
  const random = new SeededRandom(series.seed)
  const report = emptyReport()
  while (report.kills < series.kills) {
    const count = Math.min(killsOfFolder, series.kills - report.kills)
    await new FolderOfKills(series, { random, report }).run(count)
    series.onProgress?.(report)
  }
  return report
}

/** The hosts that are killed on one data folder. */
class FolderOfKills {
  readonly #series: KillSeries
  readonly #random: SeededRandom
  readonly #report: KillReport
  readonly #folder = new CrashFolder()
  readonly #promises = new Promises()
  readonly #namespace: string
  #startMs = firstStartMs

  constructor(series: KillSeries, parts: { random: SeededRandom; report: KillReport }) {
    this.#series = series
    this.#random = parts.random
    this.#report = parts.report
    // Many share one Postgres.
    this.#namespace = `hosts-${series.seed}-${parts.report.kills}`
  }

  async run(count: number): Promise<void> {
    const brokenBefore = this.#report.broken.size
    let host = new CrashHost()
    for (let kill = 0; kill < count; kill += 1) {
      // Loaded while this one is at work, so that starting it is nothing but the start of a host.
      const next = new CrashHost()
      await this.#kill(host)
      host = next
    }
    this.#begin(host, { isLast: true })
    await host.close()
    this.#sumUp(brokenBefore)
  }

  async #kill(host: CrashHost): Promise<void> {
    const random = this.#random
    const { answers = 220, proposals = 12 } = this.#series.upTo ?? {}
    const plan = {
      isAtStart: random.chance(shareAtStart),
      startShare: random.next(),
      answers: random.between(leastAnswers, answers),
      proposals: random.between(0, proposals),
      delayMs: random.next() * longestDelayMs,
    }
    const report = this.#report
    const served = this.#begin(host, plan)
    if (plan.isAtStart) await host.until(wait(this.#startMs * plan.startShare))
    else await this.#letServe(host, { ...plan, ...served })
    await host.kill()
    const { answers: answered, proposals: proposed } = served.count()
    report.kills += 1
    if (!served.isServing()) report.killedWhileStarting += 1
    report.answers.push(answered)
    report.proposals.push(proposed)
  }

  async #letServe(
    host: CrashHost,
    { checked, delayMs, worked }: { readonly delayMs: number } & Pick<Served, 'checked' | 'worked'>,
  ): Promise<void> {
    const meanwhile = new AbortController()
    await host.until(checked)
    const doing = this.#series.meanwhile?.(meanwhile.signal)
    await host.until(worked)
    await host.until(wait(delayMs))
    meanwhile.abort()
    await doing
  }

  #begin(host: CrashHost, plan: ServePlan): Served {
    const { answers = Infinity, isLast = false, proposals = Infinity } = plan
    const [checked, worked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const beganAt = performance.now()
    let before = this.#promises.count()
    let isServing = false
    const count = (): Work => {
      const now = this.#promises.count()
      return isServing
        ? { answers: now.answers - before.answers, proposals: now.proposals - before.proposals }
        : { answers: 0, proposals: 0 }
    }
    const { approver, data, factsFile } = this.#folder
    const order = {
      approver,
      data,
      factsFile,
      isLast,
      namespace: this.#namespace,
      databaseUrl: this.#series.databaseUrl,
      round: this.#report.kills,
      seed: this.#random.between(0, 2 ** 31),
    }
    host.begin(order, (fact) => {
      this.#hear(fact)
      if (fact.fact === 'checked') {
        before = this.#promises.count()
        isServing = true
        this.#startMs = performance.now() - beganAt
        checked.resolve()
      }
      const work = count()
      if (work.answers >= answers && work.proposals >= proposals) worked.resolve()
    })
    const served = { checked: checked.promise, worked: worked.promise }
    return { ...served, count, isServing: () => isServing }
  }

  #hear(fact: Fact): void {
    this.#folder.keep(fact)
    this.#promises.add(fact)
    if (fact.fact === 'broken') this.#report.broken.add(fact.problem)
    if (fact.fact === 'window') this.#report.windows.set(fact.callId, fact.window)
  }

  #sumUp(brokenBefore: number): void {
    const report = this.#report
    const { decisions, stops } = this.#promises.count()
    report.decisions += decisions
    report.stops += stops
    report.allAnswers.push(...this.#promises.answers)
    if (report.broken.size === brokenBefore) this.#folder.remove()
    else report.broken.add(`see ${this.#folder.path}`)
  }
}

interface Work {
  readonly answers: number
  readonly proposals: number
}

type ServePlan = Partial<Work> & { readonly isLast?: boolean }

interface Served {
  /** Resolves when the host has looked at all that was promised, and its clients begin. */
  readonly checked: Promise<void>
  /** Resolves when they have done as much as was planned. */
  readonly worked: Promise<void>
  readonly isServing: () => boolean
  /** What they were told is done. */
  readonly count: () => Work
}
