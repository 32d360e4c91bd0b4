import { describeNode } from './node-sentence.ts'
import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import type { IgnoredParameter } from '../parameters/ignored-parameter.ts'
import { isProgramKey } from './node-families.ts'
import { nameOutput } from './node-outputs.ts'
import { type Leaf, NodeParameters, leavesOf } from './node-parameters.ts'
import { cutText, makeVisible, quote, quoteCut, showPath, showWord } from './show-text.ts'
import type { Edge, WorkflowGraph } from './workflow-graph.ts'

const longestOnALine = 300
const longestText = 20_000

/** Everything about one node: a sentence, then lines that belong to it, indented. */
export function describeStep(
  node: N8nNode,
  context: {
    readonly graph: WorkflowGraph
    readonly number: number
    readonly workflow: N8nWorkflow
    /** What n8n does not read of it, and what is no longer in its parameters. */
    readonly ignored: readonly IgnoredParameter[]
  },
): readonly string[] {
  const { graph, ignored, number, workflow } = context
  const parameters = new NodeParameters(node.parameters)
  const sentence = describeNode(node, { parameters, workflow })
  const disabled =
    node.disabled === true ? 'Switched off: items pass through it unchanged. It would be: ' : ''
  const arrivals = (graph.incoming.get(node.name) ?? []).filter(({ type }) => type === 'main')
  return [
    `${number}. ${showArrivals(arrivals, context)}${disabled}${sentence}`,
    ...showDepartures(node, graph),
    `   Its author calls it ${quoteCut(node.name, longestOnALine)}; node type ${showWord(node.type)}, version ${node.typeVersion}.`,
    ...describeConduct(node),
    ...describeRest(parameters, node),
    ...describeIgnored(node, ignored),
    ...describeFields(node),
  ]
}

const stepOf = (graph: WorkflowGraph, name: string): string =>
  `step ${graph.numbers.get(name) ?? '?'}`

function showArrivals(
  arrivals: readonly Edge[],
  { graph, workflow }: { readonly graph: WorkflowGraph; readonly workflow: N8nWorkflow },
): string {
  const words = arrivals.slice(0, 20).flatMap(({ from, output }) => {
    const node = workflow.nodes.find(({ name }) => name === from)
    const condition = node === undefined ? '' : nameOutput(node, output)
    return [`${stepOf(graph, from)}${condition === '' ? '' : `, ${condition}`}`]
  })
  if (words.length === 0) return ''
  const more = arrivals.length > 20 ? `; and ${arrivals.length - 20} more` : ''
  return `[after ${words.join('; or ')}${more}] `
}

/** Where each output leads, and which inputs are met; parts such as the model of an agent are told with both. */
function showDepartures(node: N8nNode, graph: WorkflowGraph): readonly string[] {
  const edges = graph.outgoing.get(node.name) ?? []
  const outputs = Map.groupBy(edges, ({ output, type }) => `${type} ${output}`)
  return [...outputs.values()].map((group) => {
    const [first] = group
    if (first === undefined) return ''
    const targets = group
      .slice(0, 20)
      .map(
        ({ input, targetType, to, type }) =>
          `${stepOf(graph, to)}${input === 0 ? '' : ` (its input ${input + 1})`}${targetType === type ? '' : ` (there taken for ${showWord(targetType)})`}`,
      )
    const more = group.length > 20 ? ` and ${group.length - 20} more` : ''
    if (first.type !== 'main')
      return `   Is used by ${targets.join(' and ')}${more}, as its ${showWord(first.type)}.`
    const condition = nameOutput(node, first.output)
    const all = group.length > 1 ? ', all of them' : ''
    return `   ${condition === '' ? 'Then' : `${condition.charAt(0).toUpperCase()}${condition.slice(1)}`}: ${targets.join(' and ')}${more}${all}.`
  })
}

/** What happens besides its work: failures, tries, credentials. */
function describeConduct(node: N8nNode): readonly string[] {
  const lines: string[] = []
  if (
    node.onError === 'continueRegularOutput' ||
    (node.onError === undefined && node.continueOnFail === true)
  )
    lines.push('When it fails, the run goes on as if it had not, with the error as data.')
  if (node.onError === 'stopWorkflow') lines.push('When it fails, the run ends as failed.')
  if (node.onError === 'continueErrorOutput')
    lines.push('When it fails, the run goes on at its output for failures.')
  if (node.retryOnFail === true)
    lines.push(
      `When it fails, it is tried again: ${triesOf(node)} tries in all, ${pauseOf(node)} ms apart.`,
    )
  if (node.executeOnce === true) lines.push('It runs for the first item only.')
  if (node.alwaysOutputData === true)
    lines.push('Where it gives no item, the run goes on with an empty one.')
  for (const [type, credential] of Object.entries(node.credentials ?? {}))
    lines.push(
      `It uses the credential ${quoteCut(credential.name, 200)} (id ${showWord(credential.id)}) of type ${showWord(type)}.`,
    )
  return lines.map((line) => `   ${line}`)
}

// What n8n makes of the numbers: n8n-core, workflow-execute.
const triesOf = ({ maxTries }: N8nNode): number => Math.min(5, Math.max(2, maxTries || 3))
const pauseOf = ({ waitBetweenTries }: N8nNode): number =>
  Math.min(5_000, Math.max(0, waitBetweenTries || 1_000))

/** How conditions and assignments are kept and compared; seldom of interest. */
const detailKeys = new Set([
  'caseSensitive',
  'combinator',
  'id',
  'operation',
  'singleValue',
  'type',
  'typeValidation',
  'version',
])
const longestDetail = 60

/** What the sentence did not tell: the details of conditions and fields on one line, the rest on lines of its own. */
function describeRest(parameters: NodeParameters, node: N8nNode): readonly string[] {
  const details: string[] = []
  const lines = parameters.rest().flatMap((leaf) => {
    const shown = showLeaf(leaf, { node, indent: '   ' })
    const [only = ''] = shown
    if (shown.length > 1 || only.length > longestDetail || !isDetail(leaf)) return shown
    details.push(only.trimStart())
    return []
  })
  return details.length === 0 ? lines : [...lines, `   Details: ${details.join('; ')}.`]
}

/** What stands in the workflow and does nothing. */
function describeIgnored(node: N8nNode, ignored: readonly IgnoredParameter[]): readonly string[] {
  if (ignored.length === 0) return []
  const lines = ignored.flatMap(({ path, value }) => {
    if (path.at(-1) === 'operator')
      return [`      ${showPath(path)}: a comparison that n8n does not know; it holds for no item`]
    const leaves = [...leavesOf(value, path)]
    return leaves.length === 0
      ? [`      ${showPath(path)}: nothing`]
      : leaves.flatMap((leaf) => showLeaf(leaf, { node, indent: '      ' }))
  })
  return ['   WITHOUT EFFECT, for n8n does not read it in this version of the node:', ...lines]
}

function isDetail({ path, value }: Leaf): boolean {
  const key = path.at(-1)
  return (
    (path.includes('conditions') || path.includes('assignments')) &&
    typeof key === 'string' &&
    (detailKeys.has(key) || typeof value === 'boolean' || value === '')
  )
}

// Told above, or of no effect on what happens.
const toldFields = new Set([
  'alwaysOutputData',
  'credentials',
  'disabled',
  'executeOnce',
  'id',
  'name',
  'parameters',
  'position',
  'type',
  'typeVersion',
])

function isTold(node: N8nNode, key: string): boolean {
  if (key === 'onError') return failures.has(node.onError)
  if (key === 'retryOnFail' || key === 'maxTries' || key === 'waitBetweenTries')
    return node.retryOnFail === true
  return toldFields.has(key)
}

const failures = new Set<unknown>(['continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'])

/** Every other field that is set, as it stands. */
function describeFields(node: N8nNode): readonly string[] {
  const lines = Object.entries(node).flatMap(([key, value]) => {
    if (value === undefined || value === false || isTold(node, key)) return []
    const label = key === 'notes' ? 'note of the author (does nothing)' : undefined
    return [...leavesOf(value, [key])].flatMap((leaf) =>
      showLeaf(leaf, { node, indent: '   ', ...(label === undefined ? {} : { label }) }),
    )
  })
  return lines
}

/** A value with its name: on one line, or line by line where it is long. What is cut says so. */
export function showLeaf(
  { path, value }: Leaf,
  options: { readonly node?: N8nNode; readonly indent: string; readonly label?: string },
): readonly string[] {
  const { indent, node } = options
  const name = options.label ?? showPath(path)
  if (typeof value !== 'string') return [`${indent}${name}: ${JSON.stringify(value)}`]
  if (!value.includes('\n') && value.length <= longestOnALine)
    return [`${indent}${name}: ${quote(value)}`]
  const key = path.findLast((step) => typeof step === 'string') ?? ''
  const isProgram = value.startsWith('=') || (node !== undefined && isProgramKey(node, key))
  const cut = isProgram ? { text: value, note: '' } : cutText(value, longestText)
  const lines = cut.text.split('\n')
  return [
    `${indent}${name} (${lines.length === 1 ? '1 line' : `${lines.length} lines`}, ${value.length} characters${cut.note === '' ? '' : ', cut'}):`,
    ...lines.map((line) => `${indent}│ ${makeVisible(line.replaceAll('\t', '  '))}`),
    ...(cut.note === '' ? [] : [`${indent}${cut.note.trim()}`]),
  ]
}
