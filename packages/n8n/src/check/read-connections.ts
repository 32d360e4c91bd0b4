import type { JsonValue } from '@toolcrib/registry'
import type { N8nConnections, N8nConnectionTarget } from '../n8n-workflow.ts'
import { findNodeFacts } from '../node-catalogue.ts'
import { nearestTo } from './nearest.ts'
import { joinPath, quote } from './quote.ts'
import type { DraftNode } from './read-node.ts'
import { isObject } from '../is-object.ts'
import type { ReadContext } from './read-context.ts'

interface Names {
  readonly known: ReadonlySet<string>
  /** Names by id, for workflows whose author took ids. */
  readonly byId: ReadonlyMap<string, string>
  readonly renamed: Set<string>
}

/** More outputs or inputs than any node has; also bounds what a list of outputs may grow to. */
const maxIndex = 255

/** Reads the connections; ids of nodes in them become names. */
export function readConnections(
  json: JsonValue | undefined,
  drafts: readonly DraftNode[],
  context: ReadContext,
): N8nConnections {
  const { problems, repairs } = context
  if (json === undefined || json === null) {
    repairs.push('Put connections in: there were none.')
    return {}
  }
  if (!isObject(json)) {
    report(context, 'connections', `connections is an object; it is ${quote(json)}`)
    return {}
  }
  const names: Names = {
    known: new Set(drafts.map(({ name }) => name)),
    byId: new Map(drafts.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name]]))),
    renamed: new Set(),
  }
  const connections: Record<string, Record<string, (N8nConnectionTarget[] | null)[]>> = {}
  for (const [key, byType] of Object.entries(json)) {
    const path = joinPath('connections', key)
    const source = resolveName(key, names)
    if (source === undefined)
      problems.error({
        code: 'unknown-connection-source',
        path,
        message: `connections has an entry for ${quote(key)}, but there is no node of that name.`,
        fix: nearestTo(key, names.known) ?? 'Use the name of a node.',
      })
    else if (!isObject(byType))
      report(context, path, `${path} is an object; it is ${quote(byType)}`)
    else {
      const read = Object.entries(byType).map(
        ([type, outputs]) =>
          [
            type,
            readOutputs(outputs, joinPath(path, type), { names, context, type: nameOf(type) }),
          ] as const,
      )
      const own = { ...connections[source], ...Object.fromEntries(read) }
      const draft = drafts.find(({ name }) => name === source)
      connections[source] = withKnownTypes(own, { path, draft, context })
    }
  }
  for (const id of [...names.renamed].toSorted())
    repairs.push(
      `Wrote the name ${quote(names.byId.get(id))} for the id ${quote(id)} in connections.`,
    )
  return connections
}

// n8n-workflow, NodeConnectionTypes.
const connectionTypes: ReadonlySet<string> = new Set([
  'main',
  ...'agent chain document embedding languageModel memory outputParser retriever reranker textSplitter tool vectorStore'
    .split(' ')
    .map((name) => `ai_${name}`),
])

/** What nothing is known of is taken for `main`, for its targets. */
function nameOf(type: string): string {
  return connectionTypes.has(type) ? type : 'main'
}

type Outputs = Readonly<Record<string, (N8nConnectionTarget[] | null)[]>>

/** Nothing flows over a type that n8n does not know. One called `error` is meant for the output of failures, which is the last one. */
function withKnownTypes(
  byType: Outputs,
  {
    path,
    draft,
    context,
  }: {
    readonly path: string
    readonly draft: DraftNode | undefined
    readonly context: ReadContext
  },
): Record<string, (N8nConnectionTarget[] | null)[]> {
  const kept = { ...byType }
  for (const [type, outputs] of Object.entries(byType)) {
    if (connectionTypes.has(type)) continue
    const { name = '', onError, type: nodeType = '' } = draft ?? {}
    const last = findNodeFacts(context.catalogue, nodeType)?.outputs
    const main = kept['main'] ?? []
    const isFree = last !== undefined && (main[last] ?? []).length === 0
    delete kept[type]
    if (type === 'error' && onError === 'continueErrorOutput' && isFree) {
      kept['main'] = Array.from({ length: Math.max(main.length, last + 1) }, (_, index) =>
        index === last ? outputs.flatMap((targets) => targets ?? []) : (main[index] ?? []),
      )
      context.repairs.push(
        `Wrote the connections of type "error" of ${quote(name)} as those of its output ${last}, which is for failures.`,
      )
      continue
    }
    context.problems.error({
      code: 'bad-connections',
      path: joinPath(path, type),
      ...(name !== '' && { node: name }),
      message: `n8n knows no connections of type ${quote(type)}, so nothing flows over them.`,
      fix:
        type === 'error'
          ? 'Write "onError": "continueErrorOutput" into the node, and its targets into "main", behind those of its other outputs.'
          : 'Write "main", or a type such as "ai_tool".',
    })
  }
  return kept
}

interface Reader {
  readonly names: Names
  /** What targets are taken for that do not say it. */
  readonly type: string
  readonly context: ReadContext
}

function readOutputs(
  json: JsonValue,
  path: string,
  reader: Reader,
): (N8nConnectionTarget[] | null)[] {
  if (!Array.isArray(json)) {
    report(
      reader.context,
      path,
      `${path} is a list with a list for each output; it is ${quote(json)}`,
    )
    return []
  }
  return (json as readonly JsonValue[]).map((output, index) => {
    if (output === null) return null
    const inside = joinPath(path, index)
    if (Array.isArray(output))
      return (output as readonly JsonValue[]).flatMap((target, number) =>
        readTarget(target, joinPath(inside, number), reader),
      )
    report(reader.context, inside, `${inside} is a list of targets; it is ${quote(output)}`)
    return null
  })
}

function readTarget(json: JsonValue, path: string, reader: Reader): N8nConnectionTarget[] {
  const { names, context } = reader
  const { node, type, index } = isObject(json) ? json : {}
  if (typeof node !== 'string') {
    report(context, path, `${path} is no target with node, type and index`)
    return []
  }
  if (type !== undefined && typeof type !== 'string')
    report(context, `${path}.type`, `type of a target is a text; it is ${quote(type)}`)
  const isIndex =
    typeof index === 'number' && Number.isInteger(index) && index >= 0 && index <= maxIndex
  if (index !== undefined && !isIndex)
    context.problems.error({
      code: 'bad-connection-index',
      path: `${path}.index`,
      message: `The index of an input is a whole number from 0; it is ${quote(index)}.`,
      fix: 'Use 0, unless the node has several inputs.',
    })
  const target = resolveName(node, names)
  if (target !== undefined) {
    if (type === undefined || index === undefined)
      context.repairs.push(
        `Filled in the target ${quote(target)} in connections: input 0 of type ${quote(reader.type)}.`,
      )
    const isKnown = typeof type === 'string' && connectionTypes.has(type)
    if (typeof type === 'string' && !isKnown)
      context.repairs.push(
        `Wrote the type ${quote(reader.type)} for ${quote(type)} at the target ${quote(target)} in connections, as n8n takes it.`,
      )
    return [{ node: target, type: isKnown ? type : reader.type, index: isIndex ? index : 0 }]
  }
  context.problems.error({
    code: 'unknown-connection-target',
    path: `${path}.node`,
    message: `A connection leads to ${quote(node)}, but there is no node of that name.`,
    fix: nearestTo(node, names.known) ?? 'Use the name of a node.',
  })
  return []
}

function resolveName(key: string, { known, byId, renamed }: Names): string | undefined {
  if (known.has(key)) return key
  const name = byId.get(key)
  if (name !== undefined && known.has(name)) {
    renamed.add(key)
    return name
  }
  return undefined
}

function report({ problems }: ReadContext, path: string, message: string): void {
  problems.error({
    code: 'bad-connections',
    path,
    message: `${message}.`,
    fix: 'Write { "<node>": { "main": [[{ "node": "<node>", "type": "main", "index": 0 }]] } }.',
  })
}
