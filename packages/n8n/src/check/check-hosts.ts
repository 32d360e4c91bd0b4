import { readReach } from '../describe/workflow-hosts.ts'
import type { CheckContext } from './check-context.ts'
import { either, quote } from './quote.ts'

/** Whether nodes reach listed hosts only. What cannot be told before the workflow runs is refused, too. */
export function checkHosts({ nodes, policy, problems }: CheckContext): void {
  const { hosts, allow = [] } = policy
  if (hosts === undefined) return
  for (const { node, place } of nodes) {
    if (node.disabled) continue
    const reach = readReach(node)
    for (const origin of reach.hosts)
      if (!hosts.some((host) => isListed(origin, host)))
        problems.error({
          code: 'host-not-allowed',
          path: `${place}.parameters`,
          node: node.name,
          message: `${quote(node.name)} reaches ${origin}, which is not among the allowed hosts.`,
          fix: hosts.length === 0 ? 'No host is allowed here.' : `Use ${either(hosts)}.`,
        })
    for (const { path, expression } of reach.dynamicHosts)
      problems.error({
        code: 'host-unknown',
        path: `${place}.${path}`,
        node: node.name,
        message: `Which host ${quote(node.name)} reaches is not known before it runs: ${quote(expression)}.`,
        fix: 'Begin the address with the host, written out: "=https://api.example.com/orders/{{ $json.id }}".',
      })
    if (reach.followsRedirects)
      problems.error({
        code: 'host-unknown',
        path: `${place}.parameters.options`,
        node: node.name,
        message: `${quote(node.name)} follows redirects, so a listed host may send it to any other.`,
        fix: 'Write "options": { "redirect": { "redirect": { "followRedirects": false } } }, with typeVersion 4 or newer.',
      })
    if (reach.isService && !allow.includes(node.type))
      problems.error({
        code: 'host-unknown',
        path: `${place}.type`,
        node: node.name,
        message: `${quote(node.name)} (${quote(node.type)}) reaches hosts that do not stand in the workflow.`,
        fix: 'Use an HTTP Request node, or ask whoever runs this to allow the node by its full name.',
      })
  }
}

function isListed(origin: string, allowed: string): boolean {
  const { hostname, host, port, protocol } = new URL(origin)
  const entry = allowed.toLowerCase()
  if (entry.startsWith('*.')) return hostname.endsWith(entry.slice(1))
  const standard = protocol === 'https:' ? '443' : '80'
  return entry === hostname || entry === host || entry === `${hostname}:${port || standard}`
}
