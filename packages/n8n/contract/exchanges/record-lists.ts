import { newPath, plain } from './recorded-workflows.ts'
import type { ScriptRun } from './script-run.ts'
import { idOf } from './text-of.ts'

/** Tags, and lists of workflows with their filters and pages. */
export async function recordLists(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const made: string[] = []
  for (let index = 0; index < 3; index++) {
    const { json } = await send('POST /api/v1/workflows', { body: plain('list', newPath()) })
    const id = idOf(json)
    made.push(id)
    run.created.workflows.add(id)
  }
  const [first = ''] = made
  await record('list by name', 'GET /api/v1/workflows?name=record+list&limit=1')
  const page = await record(
    'the first page of a list',
    'GET /api/v1/workflows?name=record+list&limit=2',
  )
  const { nextCursor } = page.json as { nextCursor: string }
  await record(
    'the second page of a list, with its filter',
    `GET /api/v1/workflows?name=record+list&cursor=${encodeURIComponent(nextCursor)}`,
  )
  const unfiltered = await send(
    `GET /api/v1/workflows?name=record+nothing&cursor=${encodeURIComponent(nextCursor)}`,
  )
  if ((unfiltered.json as { data: readonly unknown[] }).data.length > 0)
    throw new Error('the filter of a request with a cursor is not looked at')
  await record('list what is live', 'GET /api/v1/workflows?name=record+list&active=true')
  await record(
    'list without pinned data',
    'GET /api/v1/workflows?name=record+list&excludePinnedData=true&limit=1',
  )
  await record('list by what is neither live nor not', 'GET /api/v1/workflows?active=maybe')
  await record('list with an unknown filter', 'GET /api/v1/workflows?foo=1&name=record+nothing')
  await record('list with a broken cursor', 'GET /api/v1/workflows?cursor=nothing')
  await record('list with a limit of 1000', 'GET /api/v1/workflows?name=record+nothing&limit=1000')
  await record('list with a limit of 0', 'GET /api/v1/workflows?name=record+nothing&limit=0')
  await record('list with a limit below 0', 'GET /api/v1/workflows?name=record+nothing&limit=-1')
  const tagName = `record-${crypto.randomUUID().slice(0, 8)}`
  const tag = await record('create a tag', 'POST /api/v1/tags', { body: { name: tagName } })
  const tagId = idOf(tag.json)
  run.created.tags.add(tagId)
  await record('create a tag once more', 'POST /api/v1/tags', { body: { name: tagName } })
  // n8n says so of a name of more than 24 characters, too.
  await record('create a tag with a long name', 'POST /api/v1/tags', {
    body: { name: 'x'.repeat(25) },
  })
  await record('create a tag without a name', 'POST /api/v1/tags', { body: {} })
  await record('list tags', 'GET /api/v1/tags')
  await record('get a tag', `GET /api/v1/tags/${tagId}`)
  await record('get a tag that is not there', 'GET /api/v1/tags/nothing')
  await record('no tags on a workflow', `GET /api/v1/workflows/${first}/tags`)
  await record('put a tag on a workflow', `PUT /api/v1/workflows/${first}/tags`, {
    body: [{ id: tagId }],
  })
  await record('put a tag on that is not there', `PUT /api/v1/workflows/${first}/tags`, {
    body: [{ id: 'nothing' }],
  })
  await record('tags on a workflow', `GET /api/v1/workflows/${first}/tags`)
  await record('get a workflow with a tag', `GET /api/v1/workflows/${first}`)
  await record('list by tag', `GET /api/v1/workflows?tags=${tagName}`)
  await record('list by a tag that is not there', 'GET /api/v1/workflows?tags=record-nothing')
  await record('delete a tag', `DELETE /api/v1/tags/${tagId}`)
  await record('delete it once more', `DELETE /api/v1/tags/${tagId}`)
}
