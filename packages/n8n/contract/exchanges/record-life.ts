import type { JsonObject } from '@toolcrib/registry'
import { fixed, newPath, node, plain, webhook, workflowOf } from './recorded-workflows.ts'
import {
  type ScriptRun,
  pause,
  removeWorkflow,
  untilAnswers,
  untilRegistered,
  makeLive,
} from './script-run.ts'
import { idOf } from './text-of.ts'

/** A workflow from its first version to its end: drafts, versions, publishing, rolling back, deleting. */
export async function recordLife(run: ScriptRun): Promise<void> {
  const { recorder, created, major } = run
  const { record, send } = recorder
  const path = newPath()
  const hook = webhook(path)
  const of = (version: number, more: JsonObject = {}): JsonObject =>
    workflowOf('life', [hook, fixed({ version })], more)
  const first = await record('create', 'POST /api/v1/workflows', { body: of(1) })
  const { id, versionId } = first.json as { id: string; versionId?: string }
  created.workflows.add(id)
  const address = `/api/v1/workflows/${id}`
  await record('get what was created', `GET ${address}`)
  await record('get without pinned data', `GET ${address}?excludePinnedData=true`)
  await record('replace what is not live', `PUT ${address}`, { body: of(2) })
  await record('replace it with the same', `PUT ${address}`, { body: of(2) })
  await record('replace its name', `PUT ${address}`, {
    body: of(2, { name: 'record life, renamed' }),
  })
  await record('replace its settings', `PUT ${address}`, {
    body: of(2, { settings: { executionOrder: 'v1', timezone: 'Africa/Lagos' } }),
  })
  await record('replace with what was read', `PUT ${address}`, {
    body: (await send(`GET ${address}`)).json,
  })
  await record('replace with a description', `PUT ${address}`, {
    body: of(2, { description: 'x' }),
  })
  await record('replace without settings', `PUT ${address}`, {
    body: { name: 'x', nodes: [], connections: {} },
  })
  await record('probe before it is live', `OPTIONS /webhook/${path}`, {
    headers: { origin: 'http://localhost' },
  })
  await record('call before it is live', `POST /webhook/${path}`, { body: {} })
  await record('activate', `POST ${address}/activate`)
  await untilRegistered(run, path)
  await record('probe', `OPTIONS /webhook/${path}`, { headers: { origin: 'http://localhost' } })
  await record('probe without an origin', `OPTIONS /webhook/${path}`)
  await record('probe as a browser does', `OPTIONS /webhook/${path}`, {
    headers: { origin: 'http://localhost', 'access-control-request-method': 'POST' },
  })
  await record('get what is live', `GET ${address}`)
  await record('activate once more', `POST ${address}/activate`)
  await untilAnswers(run, path, '{"version":2}')
  await record('publish with a name', `POST ${address}/publish`, {
    body: { name: 'v2', description: 'approved' },
  })
  await record('history', `GET ${address}/history`)
  await record('first page of the history', `GET ${address}/history?limit=1`)
  await record('a version', `GET ${address}/versions/${String(versionId)}`)
  await record('a version, by its older address', `GET ${address}/${String(versionId)}`)
  await record('a version that is not there', `GET ${address}/versions/${crypto.randomUUID()}`)
  await record(
    'a version that is not there, by its older address',
    `GET ${address}/${crypto.randomUUID()}`,
  )
  await record('save a draft of what is live', `PUT ${address}?publishIfActive=false`, {
    body: of(3),
  })
  await record('get a workflow with a draft', `GET ${address}`)
  await untilAnswers(run, path, '{"version":2}')
  await record('call with a draft beside it', `POST /webhook/${path}`, { body: {} })
  const draft = (await send(`GET ${address}`)).json as { versionId?: string }
  await record('publish the draft', `POST ${address}/publish`, {
    body: { versionId: String(draft.versionId), name: 'v3' },
  })
  if (major === 2) await untilAnswers(run, path, '{"version":3}')
  await record('replace what is live', `PUT ${address}`, { body: of(4) })
  await untilAnswers(run, path, '{"version":4}')
  await record('call the new version', `POST /webhook/${path}`, { body: {} })
  await record('publish an older version', `POST ${address}/publish`, {
    body: { versionId: String(versionId), name: 'back' },
  })
  await untilAnswers(run, path, major === 2 ? '{"version":1}' : '{"version":4}')
  await record('get what was rolled back', `GET ${address}`)
  await record('publish a version that is not there', `POST ${address}/publish`, {
    body: { versionId: crypto.randomUUID() },
  })
  await record('activate with a version that is not there', `POST ${address}/activate`, {
    body: { versionId: crypto.randomUUID() },
  })
  await record('publish with an unknown field', `POST ${address}/publish`, { body: { foo: 1 } })
  await record('replace what is live with what cannot start', `PUT ${address}`, {
    body: workflowOf('life', [
      node({ name: 'Webhook', type: 'manualTrigger', version: 1 }, {}),
      fixed({}),
    ]),
  })
  await record('get what is live after that', `GET ${address}`)
  await send(`PUT ${address}`, { body: of(5) })
  await send(`POST ${address}/activate`)
  await untilAnswers(run, path, '{"version":5}')
  await recordEnd(run, id, path)
}

async function recordEnd(run: ScriptRun, id: string, path: string): Promise<void> {
  const { recorder, created, major } = run
  const { record, send } = recorder
  const address = `/api/v1/workflows/${id}`
  const other = await send('POST /api/v1/workflows', { body: plain('rival', path) })
  const rival = idOf(other.json)
  created.workflows.add(rival)
  await record('activate at a path that is taken', `POST /api/v1/workflows/${rival}/activate`)
  await removeWorkflow(run, rival)
  await record('unpublish', `POST ${address}/unpublish`)
  await record('deactivate', `POST ${address}/deactivate`)
  await untilRegistered(run, path, 'OPTIONS')
  await record('get what is not live any more', `GET ${address}`)
  await record('deactivate once more', `POST ${address}/deactivate`)
  await record('archive', `POST ${address}/archive`)
  await record('activate what is archived', `POST ${address}/activate`)
  await record('replace what is archived', `PUT ${address}`, {
    body: plain('life', path, { version: 6 }),
  })
  await record('unarchive', `POST ${address}/unarchive`)
  await send(`POST ${address}/activate`)
  await untilRegistered(run, path)
  if (major === 2) await record('delete what is live', `DELETE ${address}`)
  await send(`POST ${address}/deactivate`)
  if (major === 2) await recordHurriedDelete(run)
  await untilRegistered(run, path, 'OPTIONS')
  await removeWorkflowRecorded(run, id)
  await record('get what is deleted', `GET ${address}`)
  await record('delete what is deleted', `DELETE ${address}`)
  for (const action of ['activate', 'deactivate', 'publish', 'unpublish', 'archive'])
    await record(`${action} what is not there`, `POST /api/v1/workflows/nothing/${action}`)
  await record('replace what is not there', 'PUT /api/v1/workflows/nothing', {
    body: plain('life', path),
  })
  await record('the history of what is not there', 'GET /api/v1/workflows/nothing/history')
  if (major === 1) {
    const live = await send('POST /api/v1/workflows', { body: plain('life', path) })
    const liveId = idOf(live.json)
    await send(`POST /api/v1/workflows/${liveId}/activate`)
    await record('delete what is live', `DELETE /api/v1/workflows/${liveId}`)
  }
}

/** It is a matter of milliseconds, so it is tried until the server is met in the middle of it. */
async function recordHurriedDelete(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  for (let attempt = 0; attempt < 30; attempt++) {
    const path = newPath()
    const id = await makeLive(run, plain('hurry', path), path)
    const address = `/api/v1/workflows/${id}`
    await send(`POST ${address}/deactivate`)
    const { status } = await record('delete what is being unpublished', `DELETE ${address}`, {
      onlyStatus: 409,
    })
    if (status === 409) return
    // One that fails inside, which happens too, leaves the workflow.
    if (status === 200) run.created.workflows.delete(id)
  }
  throw new Error('the server was never met while it took a workflow down')
}

async function removeWorkflowRecorded(run: ScriptRun, id: string): Promise<void> {
  // Its webhook is gone a moment before the server calls it unpublished.
  const probe = async (): Promise<boolean> => {
    const { json } = await run.recorder.send(`GET /api/v1/workflows/${id}`)
    return (json as JsonObject)['active'] === false
  }
  while (!(await probe())) continue
  await pause(run)
  await run.recorder.record('delete', `DELETE /api/v1/workflows/${id}`)
  run.created.workflows.delete(id)
}
