import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '@toolcrib/registry'
import type { ExchangeRecorder } from './exchange-recorder.ts'
import { idOf } from './text-of.ts'

/** A run of the script against one server. */
export interface ScriptRun {
  readonly recorder: ExchangeRecorder
  readonly major: 1 | 2
  /** For what nothing tells when it is done. */
  readonly pauseMs: number
  /** What has to be removed at the end. */
  readonly created: {
    readonly workflows: Set<string>
    readonly credentials: Set<string>
    readonly tags: Set<string>
  }
}

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come about`)
    await wait(50)
  }
}

/** Gives the server time for what nothing tells when it is done. */
export async function pause({ pauseMs }: ScriptRun): Promise<void> {
  await wait(pauseMs)
}

/** Waits until the methods that a webhook's address takes are these, such as `OPTIONS, POST`. */
export async function untilRegistered(
  run: ScriptRun,
  path: string,
  methods = 'OPTIONS, POST',
): Promise<void> {
  await until(`${methods} at ${path}`, async () => {
    const { headers } = await run.recorder.send(`OPTIONS /webhook/${path}`, {
      headers: { origin: 'http://localhost' },
    })
    return headers.get('access-control-allow-methods') === methods
  })
}

/** Waits until a call of a webhook gives that text. */
export async function untilAnswers(run: ScriptRun, path: string, text: string): Promise<void> {
  await until(`${text} from ${path}`, async () => {
    const got = await run.recorder.send(`POST /webhook/${path}`, { body: {} })
    return got.text === text
  })
}

/** Waits until so many runs of a workflow have ended, and gives their ids, newest first. */
export async function untilRun(
  run: ScriptRun,
  workflowId: string,
  count: number,
): Promise<string[]> {
  let ids: string[] = []
  await until(`${String(count)} runs of ${workflowId}`, async () => {
    const { json } = await run.recorder.send(`GET /api/v1/executions?workflowId=${workflowId}`)
    const { data } = json as unknown as { readonly data: readonly { readonly id: string }[] }
    ids = data.map(({ id }) => id)
    return ids.length >= count
  })
  return ids
}

/** Creates a workflow and makes it live, without recording it. */
export async function makeLive(
  run: ScriptRun,
  workflow: JsonObject,
  path: string,
): Promise<string> {
  const create = async (): Promise<JsonObject> =>
    await sendUntilDone(run, 'POST /api/v1/workflows', { body: workflow })
  const id = idOf(await create())
  run.created.workflows.add(id)
  await sendUntilDone(run, `POST /api/v1/workflows/${id}/activate`)
  await untilRegistered(run, path)
  return id
}

/** Sends what has to succeed again where it fails inside: n8n 1.x does so when SQLite is busy with a run. */
async function sendUntilDone(
  run: ScriptRun,
  request: string,
  options?: { readonly body: JsonObject },
): Promise<JsonObject> {
  for (let left = 5; ; left -= 1) {
    const { json, status, text } = await run.recorder.send(request, options)
    if (status === 200) return json as JsonObject
    if (status < 500 || left === 0) throw new Error(`${request} was answered ${status}: ${text}`)
    await wait(500)
  }
}

/** Takes a workflow down and deletes it, without recording it. */
export async function removeWorkflow(run: ScriptRun, id: string): Promise<void> {
  await run.recorder.send(`POST /api/v1/workflows/${id}/deactivate`)
  await until(`the end of ${id}`, async () => {
    const { status } = await run.recorder.send(`DELETE /api/v1/workflows/${id}`)
    // n8n 2 can fail inside while it takes the workflow down.
    return status !== 409 && status !== 500
  })
  run.created.workflows.delete(id)
}

/** Removes what the script made. */
export async function cleanUp(run: ScriptRun): Promise<void> {
  for (const id of run.created.workflows) await removeWorkflow(run, id)
  for (const id of run.created.credentials)
    await run.recorder.send(`DELETE /api/v1/credentials/${id}`)
  for (const id of run.created.tags) await run.recorder.send(`DELETE /api/v1/tags/${id}`)
}
