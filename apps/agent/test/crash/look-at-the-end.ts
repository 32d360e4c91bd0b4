import { setTimeout as wait } from 'node:timers/promises'
import { createPostgresCallLog } from '@toolcrib/call-log'
import { checkCalls, findOpenCalls, readCalls } from './check-calls.ts'
import type { KillReport } from './kill-report.ts'

/** The grace of a silent host, and a little more. */
const silenceMs = 16_000

/** Once all hosts are dead for long enough, another one gives their open calls an end; then every call of the run is looked at. */
export async function findWrongAtTheEnd(
  connectionString: string,
  report: KillReport,
): Promise<void> {
  await wait(silenceMs)
  const log = await createPostgresCallLog({ connectionString })
  try {
    await log.sweep()
    const calls = await readCalls(log)
    const facts = [...checkCalls(report.allAnswers, calls), ...findOpenCalls(calls)]
    for (const fact of facts)
      if (fact.fact === 'broken') report.broken.add(fact.problem)
      else if (fact.fact === 'window') report.windows.set(fact.callId, fact.window)
  } finally {
    await log.close()
  }
}
