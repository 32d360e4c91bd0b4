import type { N8nWorkflow } from '../n8n-workflow.ts'
import { argumentProblems, type Arguments } from './argument.ts'
import { literal } from './expression.ts'
import { createdId, failureOf, hasWorked, requestNode, type UpstreamRequest } from './upstream.ts'
import { WorkflowBuilder } from './workflow-builder.ts'
import {
  answerNode,
  callNode,
  conditionNode,
  failNode,
  jsonNode,
  scheduleNode,
  splitNode,
} from './workflow-nodes.ts'

/** One step of the work. */
export type Step =
  /** A request that has to work, else the run ends. `accepts` is code for whether the answer's JSON is what it should be. */
  | {
      readonly kind: 'request'
      readonly name: string
      readonly request: UpstreamRequest
      readonly accepts?: string
    }
  /** A request for each item; those that fail are told apart in the result. */
  | { readonly kind: 'requests'; readonly name: string; readonly request: UpstreamRequest }
  | { readonly kind: 'json'; readonly name: string; readonly code: string }
  /** Goes on where the condition holds, else straight to the result. */
  | { readonly kind: 'when'; readonly name: string; readonly condition: string }
  | { readonly kind: 'split'; readonly name: string; readonly field: string }

/** What is particular to one workflow. */
export interface ToolPlan {
  readonly slug: string
  readonly title: string
  readonly timeZone: string
  /** When it runs by itself, such as `09:00`. */
  readonly dailyAt?: string
  readonly arguments: Arguments
  readonly steps: readonly Step[]
  /** Code that gives the result. */
  readonly result: string
  /** Code that lists the failures of `requests`, each as `{ code, message, status?, … }`, and counts what worked. */
  readonly outcome?: { readonly failures: string; readonly succeeded: string }
}

/** Code for what the caller gave, or nothing when a schedule started the run. */
export const given = '$("Arguments").first().json.given'
/** Code for the moment of the run, in milliseconds; callers may set it with the argument `now`. */
export const now: string = `(${given}.now === undefined ? Date.now() : Date.parse(${given}.now))`

const executionId = 'executionId: $execution.id'

/**
 * Makes a workflow that can be called, and, with `dailyAt`, runs by itself too. Whatever happens, the caller gets one
 * envelope; and where the work failed, in part or as a whole, the execution ends as failed, so that a run that nobody waits
 * for is seen in n8n's list and starts its error workflow.
 */
export function toolWorkflow(plan: ToolPlan): N8nWorkflow {
  const flow = new WorkflowBuilder()
  const starts = [flow.add(callNode(plan.slug))]
  if (plan.dailyAt !== undefined) starts.push(flow.add(scheduleNode(plan.dailyAt)))
  flow.add(jsonNode('Arguments', readArguments(plan)))
  for (const start of starts) flow.wire(start, 'Arguments')
  flow.add(conditionNode('Arguments right?', '$json.problems.length === 0'))
  flow.wire('Arguments', 'Arguments right?')
  const ends = addEnds(flow, plan)
  flow.wire('Arguments', ends.broken, 1)
  flow.wire('Arguments right?', ends.refused, 1)
  addSteps(flow, plan, ends)
  return flow.build({
    name: plan.title,
    settings: {
      executionOrder: 'v1',
      timezone: plan.timeZone,
      executionTimeout: longestRunSeconds(plan.steps),
      saveDataErrorExecution: 'all',
    },
  })
}

/** Every request may take its whole time, and a minute is left for the rest. */
export function longestRunSeconds(steps: readonly Step[]): number {
  return steps.reduce(
    (seconds, step) => seconds + ('request' in step ? step.request.timeoutSeconds : 0),
    60,
  )
}

interface Ends {
  readonly refused: string
  readonly failed: string
  readonly broken: string
  readonly result: string
}

function addEnds(flow: WorkflowBuilder, plan: ToolPlan): Ends {
  const ends = {
    result: flow.add(jsonNode('Result', resultCode(plan), { once: true })),
    refused: flow.add(jsonNode('Arguments wrong', refusalCode)),
    failed: flow.add(jsonNode('What failed', whatFailedCode(plan.steps))),
    broken: flow.add(jsonNode('Workflow failed', brokenCode)),
  }
  flow.add(jsonNode('Service failed', serviceFailedCode(plan.steps)))
  flow.wire(ends.failed, 'Service failed')
  flow.add(answerNode())
  for (const end of [ends.result, ends.refused, 'Service failed', ends.broken])
    flow.wire(end, 'Answer')
  for (const end of [ends.result, ends.refused, ends.failed, 'Service failed'])
    flow.wire(end, ends.broken, 1)
  flow.add(conditionNode('Anything failed?', '$json.alarm'))
  flow.wire('Answer', 'Anything failed?')
  flow.add(failNode('End as failed', '$json.alarm'))
  flow.wire('Anything failed?', 'End as failed')
  return ends
}

function addSteps(flow: WorkflowBuilder, plan: ToolPlan, ends: Ends): void {
  let last = 'Arguments right?'
  for (const step of plan.steps) {
    if (step.kind === 'request') {
      flow.add(requestNode(step.name, step.request))
      flow.wire(last, step.name)
      const check = checkName(step.name)
      const accepts = step.accepts === undefined ? '' : ` && (${step.accepts})`
      last = flow.add(conditionNode(check, `${hasWorked('$json')}${accepts}`))
      flow.wire(step.name, check)
      flow.wire(check, ends.failed, 1)
      continue
    }
    if (step.kind === 'requests') {
      flow.add(requestNode(step.name, step.request))
      flow.wire(last, step.name)
      last = flow.add(
        jsonNode(outcomeName(step.name), outcomeCode, { onError: 'continueRegularOutput' }),
      )
      flow.wire(step.name, last)
      continue
    }
    if (step.kind === 'json') flow.add(jsonNode(step.name, step.code, { once: true }))
    if (step.kind === 'when') flow.add(conditionNode(step.name, step.condition))
    if (step.kind === 'split') flow.add(splitNode(step.name, step.field))
    flow.wire(last, step.name)
    if (step.kind === 'json') flow.wire(step.name, ends.broken, 1)
    if (step.kind === 'when') flow.wire(step.name, ends.result, 1)
    last = step.name
  }
  flow.wire(last, ends.result)
}

function checkName(step: string): string {
  return `${step}: did it work?`
}

/** The node that has, for each item of `requests`, `failure` or null, and `id` of what was created. @param step its name */
export function outcomeName(step: string): string {
  return `${step}: what came of it`
}

const outcomeCode = `{ failure: ${hasWorked('$json')} ? null : ${failureOf}($json), id: ${createdId('$json.body')} }`

function readArguments(plan: ToolPlan): string {
  const scheduled = `${literal(`${plan.slug}:`)} + $now.toFormat("yyyy-MM-dd")`
  return [
    '{ startedBy: $json.headers === undefined ? "schedule" : "call"',
    `key: $json.headers === undefined ? ${scheduled} : ($json.headers["idempotency-key"] || $execution.id)`,
    `problems: ${argumentProblems(plan.arguments, '($json.headers === undefined ? [{}] : [$json.body ?? {}])[0]')}`,
    'given: $json.headers === undefined ? {} : ($json.body ?? {}) }',
  ].join(', ')
}

function envelope(parts: {
  readonly status: string
  readonly body: string
  readonly alarm: string
}): string {
  return `{ httpStatus: ${parts.status}, envelope: { ${parts.body}, ${executionId} }, alarm: ${parts.alarm} }`
}

const refusalCode = envelope({
  status: '400',
  body: 'ok: false, error: { code: "invalid_arguments", message: $json.problems.join(" ") }',
  alarm: '""',
})

const brokenCode = envelope({
  status: '500',
  body: 'ok: false, error: { code: "workflow_failed", message: "A step of the workflow failed: " + String($json.error).slice(0, 300) }',
  alarm: '"A step of the workflow failed: " + String($json.error).slice(0, 300)',
})

// n8n 2.x cannot read other nodes ($("…")) in a node that got the error of some broken connections; so it takes two.
function whatFailedCode(steps: readonly Step[]): string {
  const places = steps.flatMap((step) =>
    step.kind === 'request' ? [`${literal(checkName(step.name))}: ${literal(step.name)}`] : [],
  )
  return `{ failure: ${failureOf}($json), step: { ${places.join(', ')} }[$prevNode.name] }`
}

/** Says what had been done before a request failed, for that is not taken back. */
function serviceFailedCode(steps: readonly Step[]): string {
  const names = steps.flatMap((step) =>
    step.kind === 'request' && step.request.method !== 'GET' ? [step.name] : [],
  )
  const entries = names.map(
    (name) =>
      `...($(${literal(name)}).isExecuted && $json.step !== ${literal(name)} ? [{ step: ${literal(name)}, id: ${idOf(name)} }] : [])`,
  )
  const message =
    '$json.step + ": " + $json.failure.message + (done.length === 0 ? "" : " Done before, and not taken back: " + done.map(({ step }) => step).join(", ") + ".")'
  const failed = envelope({
    status: '$json.failure.code === "upstream_timeout" ? 504 : 502',
    body: `ok: false, error: { ...$json.failure, message: ${message}, step: $json.step, done }`,
    alarm: message,
  })
  return `((done) => (${failed}))([${entries.join(', ')}])`
}

/** Code for the id that the answer to a request gave to what was created, as text, or undefined. @param step its name */
export function idOf(step: string): string {
  const node = `$(${literal(step)})`
  return `(${node}.isExecuted ? ${createdId(`${node}.first().json.body`)} : undefined)`
}

function resultCode({ result, outcome }: ToolPlan): string {
  if (outcome === undefined)
    return envelope({ status: '200', body: `ok: true, result: ${result}`, alarm: '""' })
  const first = 'failures[0].message'
  const some = `failures.length + " of " + (failures.length + succeeded) + " failed; the first: " + ${first}`
  const all = `"All " + failures.length + " failed; the first: " + ${first}`
  const success = envelope({
    status: '200',
    body: 'ok: true, result',
    alarm: `failures.length === 0 ? "" : ${some}`,
  })
  const failure = envelope({
    status: 'failures[0].code === "upstream_timeout" ? 504 : 502',
    body: `ok: false, error: { code: failures[0].code, message: ${all}, status: failures[0].status, details: result }`,
    alarm: all,
  })
  return `((failures, succeeded, result) => failures.length > 0 && succeeded === 0 ? ${failure} : ${success})(${outcome.failures}, ${outcome.succeeded}, ${result})`
}
