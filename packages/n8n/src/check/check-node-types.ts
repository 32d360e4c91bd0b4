import type { CheckContext } from './check-context.ts'
import { nearestTo } from './nearest.ts'
import { quote } from './quote.ts'

/** Whether n8n has each node in the version asked for. */
export function checkNodeTypes({ nodes, catalogue, problems }: CheckContext): void {
  for (const { node, place, facts } of nodes) {
    const { name, type, typeVersion } = node
    if (facts === undefined)
      problems.error({
        code: 'unknown-node-type',
        path: `${place}.type`,
        node: name,
        message: `n8n ${catalogue.n8nVersion} has no node type ${quote(type)}.`,
        fix:
          nearestTo(type, Object.keys(catalogue.nodes)) ??
          'Use a node that n8n brings along, such as "n8n-nodes-base.httpRequest".',
      })
    else if (!facts.versions.includes(typeVersion))
      problems.error({
        code: 'unknown-node-version',
        path: `${place}.typeVersion`,
        node: name,
        message: `${quote(type)} has no version ${typeVersion} in n8n ${catalogue.n8nVersion}; there are ${facts.versions.join(', ')}.`,
        fix: `Use ${facts.versions.at(-1)}, or leave typeVersion out.`,
      })
    if (facts?.isExcluded)
      problems.warn({
        code: 'excluded-node-type',
        path: `${place}.type`,
        node: name,
        message: `n8n ${catalogue.n8nVersion} leaves ${quote(type)} out unless its operator allows it.`,
        fix: 'Use another node.',
      })
  }
}
