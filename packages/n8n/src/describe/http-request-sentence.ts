import type { N8nNode } from '../n8n-workflow.ts'
import { NodeParameters } from './node-parameters.ts'
import { tellWord } from './tell-word.ts'

/** The parameter that holds the method: older versions of the node call it otherwise. */
export function methodKey(node: N8nNode): string {
  return node.typeVersion < 3 && 'requestMethod' in node.parameters ? 'requestMethod' : 'method'
}

const kinds: Readonly<Record<string, string>> = {
  json: 'a JSON body',
  'form-urlencoded': 'a form as its body',
  'multipart-form-data': 'a form with parts as its body',
  binaryData: 'a file as its body',
  raw: 'a body',
}

/** What a HTTP Request node sends, to where, and with what; the values are listed below. */
export function describeHttpRequest(node: N8nNode, parameters: NodeParameters): string {
  const key = methodKey(node)
  const method = parameters.at(key)
  const verb =
    typeof method === 'string' && method.startsWith('=')
      ? `a request whose method is ${tellWord(parameters, key)}`
      : method === undefined
        ? 'GET'
        : tellWord(parameters, key)
  const target =
    parameters.text('url') === undefined
      ? 'an address that is not given'
      : tellWord(parameters, 'url')
  const extras = extrasOf(parameters)
  const redirects = followsRedirects(node) ? ' It follows redirects to other hosts.' : ''
  return `Sends ${verb} to ${target}${extras.length === 0 ? '' : ` with ${extras.join(', ')}`}.${redirects}`
}

function extrasOf(parameters: NodeParameters): readonly string[] {
  const extras: string[] = []
  const take = (key: string, words: string): void => {
    const value = parameters.at(key)
    const isDecidedInRun = typeof value === 'string' && value.startsWith('=')
    if (value !== true && !isDecidedInRun) return
    parameters.tell(key)
    extras.push(isDecidedInRun ? `${words} where ${key} says so` : words)
  }
  take('sendQuery', 'query parameters')
  take('sendHeaders', 'headers')
  const kind = parameters.at('contentType') ?? 'json'
  if (
    parameters.at('sendBody') === true &&
    typeof kind === 'string' &&
    Object.hasOwn(kinds, kind)
  ) {
    parameters.tell('contentType')
    take('sendBody', kinds[kind] ?? '')
  } else take('sendBody', 'a body')
  return extras
}

/** Whether an HTTP Request node goes where the answer of a host sends it. */
export function followsRedirects(node: N8nNode): boolean {
  const set = new NodeParameters(node.parameters).at(
    'options',
    'redirect',
    'redirect',
    'followRedirects',
  )
  // What an expression gives is known in the run only, so it counts as the worse.
  if (node.typeVersion < 3) return true
  return set === undefined ? node.typeVersion >= 4 : set !== false
}
