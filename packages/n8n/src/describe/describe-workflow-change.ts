import type { JsonValue } from '@toolcrib/registry'
import type { N8nConnections, N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import { type PathStep, leavesOf } from './node-parameters.ts'
import { showSchedule } from './schedule-words.ts'
import { fitEntries } from './step-entries.ts'
import { quote, quoteCut, showPath, showWord } from './show-text.ts'

const mostCharacters = 300

/**
 * What differs between two workflows, in sentences: nodes, what is set in them, connections, schedules, settings, credentials
 * and stored data. Empty only when nothing does. Long values are cut around the place where they differ, and the list at 200
 * entries of 2,000 characters; both say so.
 */
export function describeWorkflowChange(before: N8nWorkflow, after: N8nWorkflow): readonly string[] {
  const pairs = pairNodes(before.nodes, after.nodes)
  const sentences = [
    ...pairs.flatMap(([old, fresh]) => describePair(old, fresh)),
    ...describeOrder(pairs, before),
    ...describeConnections(before.connections, after.connections),
    ...describeSchedules(before, after),
    ...describeFields(before, after),
  ]
  return fitEntries(
    sentences.map((sentence) => [sentence]),
    { maxSteps: 200, maxStepLength: 2_000 },
  ).steps
}

type NodePair = readonly [before: N8nNode | undefined, after: N8nNode | undefined]

/** Nodes of the same name belong together; of those left, the ones with the same id. */
function pairNodes(before: readonly N8nNode[], after: readonly N8nNode[]): readonly NodePair[] {
  const left = [...before]
  const take = (fits: (node: N8nNode) => boolean): N8nNode | undefined => {
    const index = left.findIndex(fits)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const partners = new Map(after.map((node) => [node, take(({ name }) => name === node.name)]))
  const pairs = after.map((node): NodePair => [
    partners.get(node) ?? take(({ id }) => id === node.id),
    node,
  ])
  return [...pairs, ...left.map((node): NodePair => [node, undefined])]
}

const label = (node: N8nNode): string => `${quoteCut(node.name, 100)} (${showWord(node.type)})`

function describePair(before: N8nNode | undefined, after: N8nNode | undefined): readonly string[] {
  if (before === undefined) return after === undefined ? [] : [`Added the node ${label(after)}.`]
  if (after === undefined) return [`Removed the node ${label(before)}.`]
  const renamed =
    before.name === after.name
      ? []
      : [`Renamed the node ${label(before)} to ${quoteCut(after.name, 100)}.`]
  const { name: _before, ...old } = before
  const { name: _after, ...fresh } = after
  const isMoved = !isSame(old.position, fresh.position)
  return [
    ...renamed,
    ...describeValues(`Node ${label(after)}`, [
      { ...old, position: [] },
      { ...fresh, position: [] },
    ]),
    ...(isMoved ? [`Node ${label(after)}: moved on the canvas.`] : []),
  ]
}

function describeOrder(pairs: readonly NodePair[], { nodes }: N8nWorkflow): readonly string[] {
  const places = pairs.flatMap(([old, fresh]) =>
    old === undefined || fresh === undefined ? [] : [nodes.indexOf(old)],
  )
  const isOrdered = places.every((place, index) => index === 0 || (places[index - 1] ?? 0) <= place)
  return isOrdered ? [] : ['The order in which the nodes are written down has changed.']
}

function describeConnections(before: N8nConnections, after: N8nConnections): readonly string[] {
  const old = connectionsOf(before)
  const fresh = connectionsOf(after)
  const sentences = [
    ...[...old].filter((each) => !fresh.has(each)).map((each) => `Removed the connection ${each}.`),
    ...[...fresh].filter((each) => !old.has(each)).map((each) => `Added the connection ${each}.`),
  ]
  if (sentences.length > 0 || isSame(before as JsonValue, after as JsonValue)) return sentences
  return ['Connections are in another order, or written down in another way.']
}

function connectionsOf(connections: N8nConnections): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [from, types] of Object.entries(connections))
    for (const [type, outputs] of Object.entries(types))
      for (const [output, targets] of outputs.entries())
        for (const target of targets ?? [])
          found.add(
            `from output ${output + 1} of ${quoteCut(from, 100)} (${showWord(type)}) to input ${target.index + 1} of ${quoteCut(target.node, 100)}${target.type === type ? '' : ` (${showWord(target.type)})`}`,
          )
  return found
}

function schedulesOf(workflow: N8nWorkflow): readonly string[] {
  return workflow.nodes.flatMap((node) =>
    node.disabled === true ? [] : (showSchedule(node, workflow) ?? []),
  )
}

function describeSchedules(before: N8nWorkflow, after: N8nWorkflow): readonly string[] {
  const old = schedulesOf(before)
  const fresh = schedulesOf(after)
  return [
    ...old.filter((each) => !fresh.includes(each)).map((each) => `No longer runs ${each}.`),
    ...fresh.filter((each) => !old.includes(each)).map((each) => `Now runs ${each}.`),
  ]
}

function describeFields(before: N8nWorkflow, after: N8nWorkflow): readonly string[] {
  const { connections: _before, nodes: _nodesBefore, ...old } = before
  const { connections: _after, nodes: _nodesAfter, ...fresh } = after
  return describeValues('Workflow', [old, fresh])
}

/** What differs between two values, a sentence for each place. */
function describeValues(
  subject: string,
  [before, after]: readonly [before: unknown, after: unknown],
): readonly string[] {
  const old = placesOf(before as JsonValue)
  const fresh = placesOf(after as JsonValue)
  const sentences: string[] = []
  for (const [key, { path, value }] of old) {
    const now = fresh.get(key)
    const place = showPath(path)
    if (now === undefined)
      sentences.push(`${subject}: removed ${place}, which was ${showValue(value)}.`)
    else if (now.value !== value)
      sentences.push(`${subject}: ${place} was ${showDifference(value, now.value)}.`)
  }
  for (const [key, { path, value }] of fresh)
    if (!old.has(key)) sentences.push(`${subject}: added ${showPath(path)}: ${showValue(value)}.`)
  if (sentences.length > 0 || isSame(before as JsonValue, after as JsonValue)) return sentences
  return [`${subject}: empty or deeply nested parts have changed.`]
}

function placesOf(
  value: JsonValue,
): ReadonlyMap<string, { readonly path: readonly PathStep[]; readonly value: JsonValue }> {
  return new Map([...leavesOf(value)].map((leaf) => [JSON.stringify(leaf.path), leaf]))
}

const showValue = (value: JsonValue): string =>
  typeof value === 'string' ? quoteCut(value, mostCharacters) : JSON.stringify(value)

function showDifference(before: JsonValue, after: JsonValue): string {
  if (
    typeof before !== 'string' ||
    typeof after !== 'string' ||
    Math.max(before.length, after.length) <= mostCharacters
  )
    return `${showValue(before)} and is ${showValue(after)}`
  let start = 0
  while (start < before.length && before[start] === after[start]) start += 1
  const from = Math.max(0, start - 40)
  const part = (text: string): string =>
    `${from === 0 ? '' : '… '}${quote(text.slice(from, from + mostCharacters).toWellFormed())}${from + mostCharacters < text.length ? ' …' : ''}`
  return `${part(before)} and is ${part(after)} (cut: around the first difference, at character ${start + 1}; ${before.length} and ${after.length} characters long)`
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))
}

function sorted(value: JsonValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  )
}
