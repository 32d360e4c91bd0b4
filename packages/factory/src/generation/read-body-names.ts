import type { N8nNode, N8nWorkflow } from '@toolcrib/n8n'
import type { JsonValue } from '@toolcrib/registry'

/** What expressions of a workflow read of the arguments of a call. */
export interface BodyNames {
  /** In the order in which they stand there. */
  readonly names: readonly string[]
  /** Whether the arguments are also used as a whole, so that others may be read. */
  readonly isWholeUsed: boolean
}

/** Where an item comes from: the node before, or a named one. Every repetition is bounded, for texts are those of strangers. */
const source =
  String.raw`(?:\$json|\$input\??\.(?:item|first\(\)|last\(\))\??\.json|` +
  String.raw`\$\(\s{0,4}(?<quote>["'\x60])(?<node>[^"'\x60]{1,200})\k<quote>\s{0,4}\)\??\.(?:item|first\(\)|last\(\))\??\.json)`
const body = String.raw`(?:\??\.body\b|(?:\?\.)?\[\s{0,4}["']body["']\s{0,4}\])`
const member = String.raw`(?:\??\.(?<plain>[A-Za-z_$][\w$]{0,63})|(?:\?\.)?\[\s{0,4}(?<mark>["'])(?<quoted>[^"'\]\\]{1,64})\k<mark>\s{0,4}\])?`
const reference = new RegExp(source + body + member, 'g')

/** Members that every object has: no arguments. */
const builtIn = new Set(['hasOwnProperty', 'toString', 'constructor'])

/** Longer texts are not looked through. */
const longestText = 200_000

function* expressionsIn(value: JsonValue): Iterable<string> {
  if (typeof value === 'string') {
    if (value.startsWith('=') && value.length <= longestText) yield value
  } else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* expressionsIn(inner)
}

function hasFullResponse({ parameters }: N8nNode): boolean {
  return JSON.stringify(parameters).includes('"fullResponse":true')
}

function namesBehind({ connections }: N8nWorkflow, webhook: string): ReadonlySet<string> {
  const outputs = Object.hasOwn(connections, webhook) ? (connections[webhook]?.['main'] ?? []) : []
  return new Set(outputs.flatMap((targets) => (targets ?? []).map(({ node }) => node)))
}

/**
 * The names of arguments that the expressions of a workflow read from the body of its webhook. Only what is read under its
 * full path is found, not what is reached through a variable. A `body` that may be that of an answer counts only right
 * behind the webhook.
 */
export function readBodyNames(workflow: N8nWorkflow): BodyNames {
  const webhook = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook')?.name ?? ''
  const behind = namesBehind(workflow, webhook)
  const isAmbiguous = workflow.nodes.some(hasFullResponse)
  const names = new Set<string>()
  let isWholeUsed = false
  for (const { name: nodeName, parameters } of workflow.nodes)
    for (const text of expressionsIn(parameters))
      for (const { groups = {} } of text.matchAll(reference)) {
        const { node, plain, quoted } = groups
        const isArgument =
          node === undefined ? !isAmbiguous || behind.has(nodeName) : node === webhook
        if (!isArgument) continue
        const name = plain ?? quoted
        if (name === undefined) isWholeUsed = true
        else if (!builtIn.has(name)) names.add(name)
      }
  return { names: [...names], isWholeUsed }
}
