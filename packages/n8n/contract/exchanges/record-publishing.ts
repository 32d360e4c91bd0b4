import type { JsonObject } from '@toolcrib/registry'
import {
  type RecordedNode,
  code,
  fixed,
  newPath,
  node,
  webhook,
  workflowOf,
} from './recorded-workflows.ts'
import { type ScriptRun, removeWorkflow } from './script-run.ts'
import { idOf } from './text-of.ts'

const of = (type: string, version: number, parameters: JsonObject = {}): RecordedNode =>
  node({ name: 'Last', type, version }, parameters)

/** What is found out when a workflow goes live, and what is not. */
export async function recordPublishing(run: ScriptRun): Promise<void> {
  const { recorder, created } = run
  const hook = webhook(newPath())
  const manual = node({ name: 'Webhook', type: 'manualTrigger', version: 1 }, {})
  const schedule = node(
    { name: 'Webhook', type: 'scheduleTrigger', version: 1.3 },
    { rule: { interval: [{ field: 'days', triggerAtHour: 9 }] } },
  )
  const called = node(
    { name: 'Webhook', type: 'executeWorkflowTrigger', version: 1.1 },
    { inputSource: 'passthrough' },
  )
  const cases: readonly (readonly [string, readonly RecordedNode[]])[] = [
    ['no nodes', []],
    ['nothing but a manual trigger', [manual, fixed({})]],
    ['a trigger that is disabled', [{ ...hook, disabled: true }, fixed({})]],
    ['a node of no known type', [hook, of('doesNotExist', 1)]],
    ['a node of no known version', [hook, of('set', 99)]],
    ['a request without an address', [hook, of('httpRequest', 4.2)]],
    [
      'a node without its credential',
      [
        hook,
        of('slack', 2.3, {
          resource: 'message',
          operation: 'post',
          select: 'channel',
          channelId: { __rl: true, mode: 'id', value: 'C0123456789' },
          text: 'x',
        }),
      ],
    ],
    ['a node that runs commands', [hook, of('executeCommand', 1, { command: 'id' })]],
    [
      'a method that is none',
      [hook, of('httpRequest', 4.2, { method: 'FETCH', url: 'http://127.0.0.1:9' })],
    ],
    ['an empty Code node', [hook, code('')]],
    [
      'an expression with an error',
      [hook, of('set', 3.4, { mode: 'raw', jsonOutput: '={{ { }', options: {} })],
    ],
    ['a schedule', [schedule, fixed({})]],
    ['a start by other workflows', [called, fixed({})]],
    [
      'a credential that is not there',
      [
        {
          ...hook,
          parameters: { ...(hook['parameters'] as JsonObject), authentication: 'jwtAuth' },
          credentials: { jwtAuth: { id: 'AAAAAAAAAAAAAAAA', name: 'gone' } },
        },
        fixed({}),
      ],
    ],
  ]
  for (const [title, kinds] of cases) {
    const nodes = kinds.map((each) => atNewPath(each))
    const { json } = await recorder.send('POST /api/v1/workflows', {
      body: workflowOf('publishing', nodes),
    })
    const id = idOf(json)
    created.workflows.add(id)
    await recorder.record(`activate ${title}`, `POST /api/v1/workflows/${id}/activate`)
    await removeWorkflow(run, id)
  }
}

/** A workflow that is deleted in a hurry may keep its path for a while. */
function atNewPath(each: RecordedNode): RecordedNode {
  if (each['type'] !== 'n8n-nodes-base.webhook') return each
  const parameters = { ...(each['parameters'] as JsonObject), path: newPath() }
  return { ...each, webhookId: crypto.randomUUID(), parameters }
}
