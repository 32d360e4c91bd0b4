import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { createCallLogTables } from '../src/index.ts'
import { makeBenchCall } from './bench-call.ts'

const { toolCalls } = createCallLogTables()
const hostId = '00000000-0000-7000-8000-000000000000'

/** What most programs would write: one drizzle insert when the call starts, one when it ends. */
export async function logNaively(database: PgDatabase<PgQueryResultHKT>): Promise<void> {
  const { start, end } = makeBenchCall()
  const { callId, namespace, toolName } = start
  await database.insert(toolCalls).values({
    callId,
    kind: 's',
    namespace,
    toolName,
    status: 'started',
    hostId,
    at: new Date(start.startedAt),
    principalKind: start.principal.kind,
    principalId: start.principal.id,
    input: start.inputText,
  })
  await database.insert(toolCalls).values({
    callId,
    kind: 'e',
    namespace,
    toolName,
    status: end.status,
    hostId,
    at: new Date(end.endedAt),
    output: end.outputText ?? null,
    outputBytes: end.outputBytes ?? null,
    durationMs: end.durationMs,
  })
}
