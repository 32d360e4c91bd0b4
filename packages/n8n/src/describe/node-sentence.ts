import { redirectStatus } from '../answering-nodes.ts'
import { showCondition } from './condition-words.ts'
import { describeHttpRequest } from './http-request-sentence.ts'
import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import { holdsWithoutConditions } from '../parameters/empty-conditions.ts'
import { isHttpRequest, isShipped, isTrigger, kindOf } from './node-families.ts'
import type { NodeParameters, PathStep } from './node-parameters.ts'
import { showSchedule } from './schedule-words.ts'
import { showWord } from './show-text.ts'
import { tellWord } from './tell-word.ts'

type Sentence = (parameters: NodeParameters, node: N8nNode) => string

/** Tells a value that is one of few words; `undefined` where it is something else, which is then listed below. */
function choose(
  parameters: NodeParameters,
  path: readonly PathStep[],
  options: { readonly words: Readonly<Record<string, string>>; readonly fallback: string },
): string | undefined {
  const value = parameters.at(...path) ?? options.fallback
  if (typeof value !== 'string' || !Object.hasOwn(options.words, value)) return undefined
  parameters.tell(...path)
  return options.words[value]
}

const conditional = (
  parameters: NodeParameters,
  node: N8nNode,
  words: { readonly asWhat: string; readonly held: string; readonly notHeld: string },
): string => {
  const holds = holdsWithoutConditions(node)
  return holds === undefined
    ? `${words.asWhat} ${showCondition(parameters, ['conditions'], { tell: true }) ?? 'the conditions below hold'}.`
    : `Compares nothing, for it has no conditions that n8n reads: ${holds ? words.held : words.notHeld}.`
}

const answers: Readonly<Record<string, string>> = {
  onReceived: 'is answered at once, before anything has run',
  lastNode: 'is answered with what the last step gives',
  responseNode: 'is answered where a step below says so',
}

const describeWebhook: Sentence = (parameters) => {
  const method =
    parameters.at('httpMethod') === undefined ? 'GET' : tellWord(parameters, 'httpMethod')
  const answer = choose(parameters, ['responseMode'], { words: answers, fallback: 'onReceived' })
  return `Starts when it is called as a tool (${method}), and ${answer ?? 'is answered as its parameters say'}.`
}

const bodies: Readonly<Record<string, string>> = {
  allIncomingItems: 'all the items that arrive',
  binary: 'a file',
  firstIncomingItem: 'the first item that arrives',
  json: 'the JSON below',
  jwt: 'a signed token with the content below',
  noData: 'no content',
  redirect: 'a redirect to the address below',
  text: 'the text below',
}

const describeRespond: Sentence = (parameters) => {
  const path = ['options', 'responseCode']
  const usual = parameters.at('respondWith') === 'redirect' ? redirectStatus : 200
  const status = parameters.at(...path) === undefined ? usual : tellWord(parameters, ...path)
  const body = choose(parameters, ['respondWith'], { words: bodies, fallback: 'firstIncomingItem' })
  return `Answers the call with status ${status} and ${body ?? 'what its parameters say'}.`
}

const describeSet: Sentence = (parameters, node) => {
  if (parameters.at('mode') === 'raw') {
    parameters.tell('mode')
    return 'Makes the fields that the JSON below gives.'
  }
  const assignments = parameters.list('assignments', 'assignments')
  const kept = node.typeVersion >= 3.3 && parameters.at('includeOtherFields') === true
  const others = kept ? ', and keeps other fields' : ''
  if (kept) parameters.tell('includeOtherFields')
  if (assignments.length === 0) return `Makes fields as its parameters say${others}.`
  const names = assignments.map((_, index) =>
    showWord(parameters.text('assignments', 'assignments', index, 'name') ?? '?'),
  )
  const shown = names.slice(0, 20).join(', ')
  const more = names.length > 20 ? ` and ${names.length - 20} more` : ''
  return `Makes the fields ${shown}${more}${others}.`
}

const countLines = (text: string): string => {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines === 1 ? '1 line' : `${lines} lines`
}

const describeCode: Sentence = (parameters, node) => {
  const language = parameters.at('language') ?? 'javaScript'
  const key = kindOf(node).startsWith('function')
    ? 'functionCode'
    : language === 'javaScript'
      ? 'jsCode'
      : 'pythonCode'
  const name =
    language === 'javaScript'
      ? 'JavaScript'
      : language === 'python' || language === 'pythonNative'
        ? 'Python'
        : 'program'
  if (name === 'JavaScript') parameters.tell('language')
  const code = parameters.text(key)
  const often =
    kindOf(node) === 'code'
      ? choose(parameters, ['mode'], {
          words: {
            runOnceForAllItems: 'once for all items',
            runOnceForEachItem: 'once for each item',
          },
          fallback: 'runOnceForAllItems',
        })
      : undefined
  return `Runs this ${name}${code === undefined ? ', which is not there' : ` (${countLines(code)})`}${often === undefined ? '' : `, ${often}`}; it may send requests to any host.`
}

const describeWait: Sentence = (parameters, node) => {
  const resume = parameters.at('resume') ?? 'timeInterval'
  if (resume === 'timeInterval') {
    parameters.tell('resume')
    const old = node.typeVersion < 1.1
    const amount =
      parameters.at('amount') === undefined ? (old ? 1 : 5) : tellWord(parameters, 'amount')
    const unit =
      parameters.at('unit') === undefined
        ? old
          ? 'hours'
          : 'seconds'
        : tellWord(parameters, 'unit')
    return `Waits ${amount} ${unit}.`
  }
  if (resume === 'specificTime') return `Waits until ${tellWord(parameters, 'dateTime')}.`
  if (resume === 'webhook') return 'Waits until somebody calls the address of this run.'
  if (resume === 'form') return 'Waits until somebody fills in a form.'
  return 'Waits as its parameters say.'
}

const sentences: Readonly<Record<string, Sentence>> = {
  code: describeCode,
  errorTrigger: () => 'Starts when another workflow, or this one, has failed.',
  executeCommand: () => 'Runs the command below on the machine of n8n.',
  executeWorkflow: () => 'Runs another workflow, which is not part of this review.',
  executeWorkflowTrigger: () => 'Starts when another workflow runs it.',
  filter: (parameters, node) =>
    conditional(parameters, node, {
      asWhat: 'Keeps the items for which',
      held: 'it keeps every item',
      notHeld: 'it keeps no item',
    }),
  function: describeCode,
  functionItem: describeCode,
  if: (parameters, node) =>
    conditional(parameters, node, {
      asWhat: 'Looks whether',
      held: 'every item goes on as if they held',
      notHeld: 'every item goes on as if they did not hold',
    }),
  limit: () => 'Keeps some of the items.',
  manualTrigger: () => "Starts when somebody runs it in n8n's editor.",
  merge: () => 'Joins what arrives at its inputs.',
  noOp: () => 'Does nothing.',
  respondToWebhook: describeRespond,
  set: describeSet,
  splitInBatches: (parameters) =>
    `Goes through the items in batches${parameters.at('batchSize') === undefined ? '' : ` of ${tellWord(parameters, 'batchSize')}`}.`,
  stickyNote: () => 'A note on the canvas; it does nothing.',
  stopAndError: () => 'Stops: the run has failed.',
  switch: (parameters) => {
    for (const [index] of parameters.list('rules', 'values').entries())
      showCondition(parameters, ['rules', 'values', index, 'conditions'], { tell: true })
    return parameters.at('mode') === 'expression'
      ? 'Chooses one of its outputs by an expression.'
      : 'Chooses among its outputs by rules.'
  },
  wait: describeWait,
  webhook: describeWebhook,
}

/** What a node does, in one sentence made of its type and parameters. What that does not tell stays to be listed. */
export function describeNode(
  node: N8nNode,
  context: { readonly parameters: NodeParameters; readonly workflow: N8nWorkflow },
): string {
  const { parameters, workflow } = context
  const schedule = showSchedule(node, workflow)
  if (schedule !== undefined) return `Starts by itself: ${schedule.join('; and ')}.`
  if (isHttpRequest(node)) return describeHttpRequest(node, parameters)
  const kind = kindOf(node)
  const sentence = Object.hasOwn(sentences, kind) ? sentences[kind] : undefined
  return sentence?.(parameters, node) ?? describeOther(node, parameters)
}

/** Services, and nodes that nothing is known of, by type and what they are set to do. */
function describeOther(node: N8nNode, parameters: NodeParameters): string {
  const settings = ['resource', 'operation', 'mode', 'action'].flatMap((key) =>
    parameters.at(key) === undefined ? [] : [`${key} ${tellWord(parameters, key)}`],
  )
  const set = settings.length === 0 ? '' : `: ${settings.join(', ')}`
  const what = isTrigger(node)
    ? 'Starts when the trigger fires that is a node of type'
    : 'Runs a node of type'
  const from = isShipped(node) ? '' : ', whose code does not come with n8n'
  const asks = parameters.at('operation') === 'sendAndWait' || node.type.endsWith('HitlTool')
  const waits = asks ? ' It waits until somebody follows the link in its message.' : ''
  return `${what} ${showWord(node.type)}${from}${set}.${waits}`
}
