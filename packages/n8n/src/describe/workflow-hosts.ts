import type { N8nNode } from '../n8n-workflow.ts'
import { isHttpRequest, isProgram, isProgramKey, isShipped, staysInside } from './node-families.ts'
import { type PathStep, leavesOf } from './node-parameters.ts'
import { followsRedirects, methodKey } from './http-request-sentence.ts'
import { cutText, makeVisible, showPath } from './show-text.ts'
import type { DynamicHost } from './workflow-description.ts'

/** What one node may reach. */
export interface NodeReach {
  readonly hosts: readonly string[]
  readonly dynamicHosts: readonly DynamicHost[]
  readonly followsRedirects: boolean
  readonly isService: boolean
  readonly runsCode: boolean
  readonly writes: boolean
}

const addressKey = /url|uri|host|server|endpoint|domain|proxy|address|broker/i

/** Tells what a node may reach from its type and parameters. Where that is not certain, it says the worse. */
export function readReach(node: N8nNode): NodeReach {
  const isHttp = isHttpRequest(node)
  const hosts = new Set<string>()
  const dynamicHosts: DynamicHost[] = []
  const unclear = (path: readonly PathStep[], expression: string): void => {
    const { note, text } = cutText(expression, 500)
    dynamicHosts.push({
      node: node.name,
      path: showPath(['parameters', ...path]),
      expression: `${makeVisible(text)}${note}`,
    })
  }
  let holdsProgram = isProgram(node)
  for (const { path, value } of staysInside(node) ? [] : leavesOf(node.parameters)) {
    const key = path.findLast((step) => typeof step === 'string') ?? ''
    if (typeof value !== 'string' || value === '') continue
    if (isProgramKey(node, key)) {
      holdsProgram = true
      if (isProgram(node))
        unclear(path, `(a program of ${value.length} characters, which may send requests)`)
      continue
    }
    const isAddress = addressKey.test(key)
    if (!isAddress && !(isProgram(node) && /^=?https?:/i.test(value))) continue
    const origin = originOf(value)
    if (origin === undefined) unclear(path, value)
    else hosts.add(origin)
  }
  if (isHttp && typeof node.parameters['url'] !== 'string') unclear(['url'], '(not given)')
  if (isProgram(node) && dynamicHosts.length === 0)
    unclear([], isShipped(node) ? '(a program)' : '(code that does not come with n8n)')
  return {
    hosts: [...hosts],
    dynamicHosts,
    followsRedirects: isHttp && followsRedirects(node),
    isService: !isHttp && !staysInside(node) && !isProgram(node),
    runsCode: holdsProgram || programInside(node),
    writes: isHttp ? mayWrite(node) : !staysInside(node) || holdsProgram,
  }
}

/** Nodes that stay inside may still hold a program, such as the code of Sort or the query of Merge. */
function programInside(node: N8nNode): boolean {
  if (!staysInside(node)) return false
  for (const { path, value } of leavesOf(node.parameters)) {
    const key = path.findLast((step) => typeof step === 'string') ?? ''
    if (typeof value === 'string' && value !== '' && isProgramKey(node, key)) return true
  }
  return false
}

function mayWrite(node: N8nNode): boolean {
  const method = node.parameters[methodKey(node)] ?? 'GET'
  return method !== 'GET' && method !== 'HEAD'
}

/**
 * The origin that an address reaches whatever its expressions give; `undefined` where they decide on it, or where it is no
 * address of HTTP.
 */
function originOf(value: string): string | undefined {
  const isExpression = value.startsWith('=')
  const text = isExpression ? value.slice(1) : value
  const expression = isExpression ? text.indexOf('{{') : -1
  const constant = expression < 0 ? text : text.slice(0, expression)
  // What follows may extend the host until a character ends it; URL parsers take the backslash for one, others do not.
  if (expression >= 0 && !/^https?:\/\/[^/?#\\]+[/?#]/i.test(constant)) return undefined
  if (!/^https?:\/\//i.test(constant)) return undefined
  try {
    const { origin } = new URL(constant)
    // A tool of an agent fills in what stands in braces when it is called.
    return origin === 'null' || /[{}]/.test(origin) ? undefined : origin
  } catch {
    return undefined
  }
}
