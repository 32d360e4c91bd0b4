import type { JsonObject } from '@toolcrib/registry'
import { code, fixed, newPath, node, respond, webhook, workflowOf } from './recorded-workflows.ts'
import { type ScriptRun, pause, makeLive, untilRun } from './script-run.ts'
import { idOf } from './text-of.ts'

const headers = { 'x-toolcrib-call-id': 'call-1' }

/** Executions: lists, data, filters, pages, stopping, what is kept. */
export async function recordRuns(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const path = newPath()
  const id = await makeLive(run, workflowOf('runs', [webhook(path), fixed({ sum: 3 })]), path)
  await record('no runs yet', `GET /api/v1/executions?workflowId=${id}`)
  for (let count = 1; count <= 3; count++) {
    await send(`POST /webhook/${path}`, { body: { a: count }, headers })
    await untilRun(run, id, count)
  }
  const [newest = ''] = await untilRun(run, id, 3)
  await record('runs', `GET /api/v1/executions?workflowId=${id}`)
  await record('runs with data', `GET /api/v1/executions?workflowId=${id}&includeData=true&limit=1`)
  await record(
    'runs that succeeded',
    `GET /api/v1/executions?workflowId=${id}&status=success&limit=1`,
  )
  await record('runs that failed', `GET /api/v1/executions?workflowId=${id}&status=error`)
  await record('runs under way', `GET /api/v1/executions?workflowId=${id}&status=running`)
  const page = await record(
    'the first page of runs',
    `GET /api/v1/executions?workflowId=${id}&limit=2`,
  )
  const { nextCursor } = page.json as { nextCursor: string }
  await record(
    'the second page of runs',
    `GET /api/v1/executions?workflowId=${id}&cursor=${encodeURIComponent(nextCursor)}`,
  )
  await record('a run', `GET /api/v1/executions/${newest}`)
  await record('a run with data', `GET /api/v1/executions/${newest}?includeData=true`)
  await record('a run that is not there', 'GET /api/v1/executions/999999')
  await record('a run by a word', 'GET /api/v1/executions/nothing')
  await record('runs of no known status', 'GET /api/v1/executions?status=nothing')
  await record('runs of a workflow that is not there', 'GET /api/v1/executions?workflowId=nothing')
  await record('runs with a broken cursor', 'GET /api/v1/executions?cursor=nothing')
  await record('stop what has ended', `POST /api/v1/executions/${newest}/stop`)
  await record('stop what is not there', 'POST /api/v1/executions/999999/stop')
  await record('retry what succeeded', `POST /api/v1/executions/${newest}/retry`)
  await record('delete a run', `DELETE /api/v1/executions/${newest}`)
  await record('delete it once more', `DELETE /api/v1/executions/${newest}`)
  await recordFailures(run)
  await recordWaiting(run)
}

async function recordFailures(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const path = newPath()
  const failing = await makeLive(
    run,
    workflowOf('fails', [webhook(path), code('throw new Error("no such order")')]),
    path,
  )
  await send(`POST /webhook/${path}`, { body: { a: 1 }, headers })
  const [failed = ''] = await untilRun(run, failing, 1)
  await record('a failed run in a list', `GET /api/v1/executions?workflowId=${failing}`)
  await record('a failed run with data', `GET /api/v1/executions/${failed}?includeData=true`)
  await record('stop a failed run', `POST /api/v1/executions/${failed}/stop`)
  const early = newPath()
  const unanswered = await makeLive(
    run,
    workflowOf('fails before', [
      webhook(early, { responseMode: 'responseNode' }),
      code('throw new Error("no such order")', 'Look up'),
      respond,
    ]),
    early,
  )
  await send(`POST /webhook/${early}`, { body: { a: 1 }, headers })
  const [before = ''] = await untilRun(run, unanswered, 1)
  await record(
    'a run with data that failed before a Respond node',
    `GET /api/v1/executions/${before}?includeData=true`,
  )
  const quiet = newPath()
  const silent = await makeLive(
    run,
    workflowOf('keeps nothing', [webhook(quiet), fixed({ sum: 3 })], {
      settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
    }),
    quiet,
  )
  await send(`POST /webhook/${quiet}`, { body: {} })
  await pause(run)
  await record('runs of a workflow that keeps none', `GET /api/v1/executions?workflowId=${silent}`)
  const late = newPath()
  const slow = await makeLive(
    run,
    workflowOf(
      'over time',
      [
        webhook(late),
        code('await new Promise((resolve) => setTimeout(resolve, 20000)); return []'),
      ],
      {
        settings: { executionOrder: 'v1', executionTimeout: 1 },
      },
    ),
    late,
  )
  await send(`POST /webhook/${late}`, { body: {}, headers })
  await untilRun(run, slow, 1)
  await record('a run over its time', `GET /api/v1/executions?workflowId=${slow}`)
}

async function recordWaiting(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const path = newPath()
  const wait = node(
    { name: 'Last', type: 'wait', version: 1.1 },
    { resume: 'webhook', options: {} },
    { webhookId: crypto.randomUUID() },
  )
  const id = await makeLive(run, workflowOf('waits', [webhook(path), wait]), path)
  await send(`POST /webhook/${path}`, { body: { a: 1 }, headers })
  await pause(run)
  await record('runs of a workflow that waits', `GET /api/v1/executions?workflowId=${id}`)
  const { json } = await record(
    'runs that wait',
    `GET /api/v1/executions?workflowId=${id}&status=waiting`,
  )
  const [waiting] = (json as { data: readonly JsonObject[] }).data
  if (waiting === undefined) return
  const address = `/api/v1/executions/${idOf(waiting)}`
  await record('a run that waits', `GET ${address}`)
  await record('stop a run that waits', `POST ${address}/stop`)
  await record('stop it once more', `POST ${address}/stop`)
  await record('a run that was stopped', `GET ${address}`)
}
