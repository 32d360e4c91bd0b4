import type { Answer, Window } from './fact.ts'

/** What came of killing hosts. */
export interface KillReport {
  kills: number
  /** Of these, how many hit a host that had not come to serving clients. */
  killedWhileStarting: number
  /** For each kill how many calls were answered, and how many proposals acknowledged, from the first client on. */
  readonly answers: number[]
  readonly proposals: number[]
  decisions: number
  stops: number
  /** Calls that were answered before a row was durable, and whose row was lost with the host. */
  readonly windows: Map<string, Window>
  readonly broken: Set<string>
  /** For whoever looks at the log once more when all hosts are dead. */
  readonly allAnswers: Answer[]
}

/** Nothing was killed yet. */
export function emptyReport(): KillReport {
  return {
    kills: 0,
    killedWhileStarting: 0,
    answers: [],
    proposals: [],
    decisions: 0,
    stops: 0,
    windows: new Map(),
    broken: new Set(),
    allAnswers: [],
  }
}

/** What a run has to see, on average, for its kills to say anything. */
const least = { answers: 100, proposals: 5 }

/** Whether no promise was broken, and enough was promised. */
export function isConvincing({ answers, broken, proposals }: KillReport): boolean {
  return broken.size === 0 && mean(answers) >= least.answers && mean(proposals) >= least.proposals
}

/** The report, to be printed. */
export function describeReport(report: KillReport): string {
  const { answers, broken, decisions, killedWhileStarting, kills, proposals, stops } = report
  const windows = [...Map.groupBy(report.windows.values(), (window) => window)]
    .map(([window, { length }]) => `${length} × ${window}`)
    .join(', ')
  return [
    `${kills} kills, ${killedWhileStarting} of them before clients were served`,
    `  calls answered a kill: ${describeList(answers)}`,
    `  proposals acknowledged a kill: ${describeList(proposals)}`,
    `  ${decisions} decisions, ${stops} stops`,
    `  answers that could not wait for their row, and lost it: ${windows || 'none'}`,
    `  broken promises: ${broken.size}`,
    ...[...broken].map((problem) => `    ${problem}`),
  ].join('\n')
}

function describeList(list: readonly number[]): string {
  return `mean ${mean(list).toFixed(1)}, least ${Math.min(...list)}, most ${Math.max(...list)}, together ${sum(list)}`
}

function mean(list: readonly number[]): number {
  return sum(list) / list.length
}

function sum(list: readonly number[]): number {
  return list.reduce((total, next) => total + next, 0)
}
