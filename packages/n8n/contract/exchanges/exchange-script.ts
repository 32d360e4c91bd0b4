import { type Exchange, type RecordedServer, createExchangeRecorder } from './exchange-recorder.ts'
import { recordBodies } from './record-bodies.ts'
import { recordCredentials } from './record-credentials.ts'
import { recordKeys } from './record-keys.ts'
import { recordLife } from './record-life.ts'
import { recordLists } from './record-lists.ts'
import { recordPublishing } from './record-publishing.ts'
import { recordRuns } from './record-runs.ts'
import { recordCallers, recordCalls } from './record-webhooks.ts'
import { type ScriptRun, cleanUp } from './script-run.ts'

const parts = {
  keys: recordKeys,
  bodies: recordBodies,
  life: recordLife,
  publishing: recordPublishing,
  calls: recordCalls,
  callers: recordCallers,
  runs: recordRuns,
  credentials: recordCredentials,
  lists: recordLists,
}

/** A part of the script. */
export type ScriptPart = keyof typeof parts

/** Every part, in order. */
export const scriptParts = Object.keys(parts) as readonly ScriptPart[]

/** Runs the fixed script of exchanges against a server, real or not, and leaves nothing on it. */
export async function runScript(
  server: RecordedServer & {
    readonly major: 1 | 2
    /** For what nothing tells when it is done. @default 1_000 */
    readonly pauseMs?: number
  },
  wanted: readonly ScriptPart[] = scriptParts,
): Promise<readonly Exchange[]> {
  const recorder = createExchangeRecorder(server)
  const run: ScriptRun = {
    recorder,
    major: server.major,
    pauseMs: server.pauseMs ?? 1_000,
    created: { workflows: new Set(), credentials: new Set(), tags: new Set() },
  }
  try {
    for (const part of wanted) {
      recorder.begin(part)
      await parts[part](run)
      await cleanUp(run)
    }
  } finally {
    await cleanUp(run)
  }
  return recorder.exchanges
}
