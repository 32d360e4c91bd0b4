import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cronProblem } from '../src/check/cron-expression.ts'
import { nodeCatalogue } from '../src/node-catalogue.ts'
import { validateWorkflow } from '../src/validate-workflow.ts'
import type { WorkflowCheck } from '../src/workflow-check.ts'
import { dataWorkflows } from './check-corpus/data-workflows.ts'
import { callBody, chain, type CorpusEntry, node } from './check-corpus/make-workflow.ts'
import { oddWorkflows } from './check-corpus/odd-workflows.ts'
import { publishedWorkflows } from './check-corpus/published-workflows.ts'
import { readRealServer } from './real-server.ts'

const server = readRealServer()
const catalogue = nodeCatalogue(server.version)
const corpus = [...dataWorkflows, ...oddWorkflows, ...publishedWorkflows].filter(
  ({ since = 1 }) => since <= server.major,
)
/** n8n 1.x has one connection to SQLite, which writes at the same time can break for good. */
const workers = server.major === 1 ? 1 : 3
/** The checks of what n8n can run, and not of what one wants it to run. */
const policy = { allowCode: true, allowSubWorkflows: true }

interface Answer {
  readonly status: number
  readonly body: { readonly id?: string; readonly triggerCount?: number; readonly message?: string }
}

/** Again after a moment when the database of the server was busy with what others do. */
async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await askOnce(method, path, body)
    if (!answer.body.message?.includes('SQLITE') || attempt === 20) return answer
    await sleep(100)
  }
}

async function askOnce(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      'x-n8n-api-key': server.apiKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) as Answer['body'] }
  } catch {
    return { status: response.status, body: { message: text.slice(0, 200) } }
  }
}

async function remove(id: string): Promise<void> {
  await ask('POST', `/workflows/${id}/deactivate`)
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { status } = await ask('DELETE', `/workflows/${id}`)
    if (status === 200 || status === 404) return
    await sleep(200)
  }
  throw new Error(`The workflow ${id} is left.`)
}

/** A name and a path of its own, so that nothing on the server is in the way. */
function own(workflow: Readonly<Record<string, unknown>>): {
  readonly path: string
  readonly workflow: unknown
} {
  const path = `check-${crypto.randomUUID()}`
  const text = JSON.stringify({ ...workflow, name: `check contract ${path}` })
  return { path, workflow: JSON.parse(text.replaceAll('"path":"corpus', `"path":"${path}`)) }
}

/** What is wrong with an entry; undefined when the check and the server agree. */
async function tryEntry(entry: CorpusEntry): Promise<string | undefined> {
  const { path, workflow } = own(entry.workflow)
  const check = validateWorkflow(workflow, { catalogue, policy })
  if (!check.ok) return `${entry.title}: refused by the check: ${JSON.stringify(check.problems)}`
  const created = await ask('POST', '/workflows', check.workflow)
  const { id } = created.body
  if (created.status !== 200 || id === undefined)
    return `${entry.title}: not created: ${created.body.message}`
  try {
    const published = await ask('POST', `/workflows/${id}/activate`)
    if (published.status !== 200) return `${entry.title}: not published: ${published.body.message}`
    if (entry.status === undefined) return undefined
    const status = await call(path)
    return status === entry.status ? undefined : `${entry.title}: answered ${status}`
  } finally {
    await remove(id)
  }
}

async function call(path: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${server.baseUrl}/webhook/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(callBody),
    })
    await response.text()
    // Publishing takes effect a moment later.
    if (response.status !== 404 || attempt === 60) return response.status
    await sleep(100)
  }
}

async function inTurns<Item, Result>(
  list: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = list.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return results
}

test('every workflow of the corpus passes the check as it is, and is published and run by the server', async () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60)
  const wrong = await inTurns(corpus, tryEntry)
  expect(wrong.filter((each) => each !== undefined)).toEqual([])
}, 300_000)

test('a repaired workflow of the corpus passes again, and nothing more is repaired', () => {
  for (const { workflow } of corpus) {
    const first: WorkflowCheck = validateWorkflow(workflow, { catalogue, policy })
    if (!first.ok) throw new Error(JSON.stringify(first.problems))
    const again = validateWorkflow(first.workflow, { catalogue, policy })
    expect(again).toMatchObject({ ok: true, workflow: first.workflow, repairs: [] })
  }
})

test('the schedules that the check calls dead are dead on the server, and the others live', async () => {
  const expressions = [
    '0 9 * * *',
    '*/15 * * * * *',
    '0 0 29 2 *',
    '0 9 * * MON-FRI',
    '@daily',
    '0 0 31 4 1',
    '0 9 * * 7',
    '0 9 * *',
    '0 9 * * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 9 * * 8',
    '0 0 L * *',
    '0 9 ? * *',
    '5-1 * * * *',
    '*/0 * * * *',
    'every day',
  ]
  const lives = await inTurns(expressions, isAlive)
  expect(expressions.filter((_, index) => lives[index])).toEqual(
    expressions.filter((expression) => cronProblem(expression) === undefined),
  )
}, 300_000)

async function isAlive(expression: string): Promise<boolean> {
  const trigger = node('Schedule', 'scheduleTrigger', {
    rule: { interval: [{ field: 'cronExpression', expression }] },
  })
  const bare = chain([{ ...trigger, id: 's', typeVersion: 1.2, position: [0, 0] }])
  const created = await ask('POST', '/workflows', {
    ...(own(bare).workflow as object),
    settings: {},
  })
  const { id = '' } = created.body
  try {
    const published = await ask('POST', `/workflows/${id}/activate`)
    if (published.status !== 200) return false
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const { body } = await ask('GET', `/workflows/${id}`)
      if ((body.triggerCount ?? 0) > 0) return true
      await sleep(250)
    }
    return false
  } finally {
    await remove(id)
  }
}
