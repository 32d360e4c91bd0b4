import type { CheckContext, CheckedNode } from './check-context.ts'
import { nearestTo } from './nearest.ts'
import { either, joinPath, quote } from './quote.ts'
import type { NewProblem } from './problem-list.ts'
import { chosenCredential, isRequired, unusedCredentials } from './requirement.ts'

/** Whether nodes name the credentials that they need, and none that they cannot use. */
export function checkCredentials({ nodes, problems }: CheckContext): void {
  for (const each of nodes) {
    const { node, place, facts } = each
    if (facts === undefined) continue
    const chosen = chosenCredential(node)
    reportUnused(each, problems)
    const needed = (facts.credentials ?? [])
      .filter((requirement) => isRequired(requirement, node, facts))
      .map(({ name }) => name)
    for (const type of new Set([...needed, ...(chosen === undefined ? [] : [chosen])]))
      if (node.credentials?.[type] === undefined && !node.disabled)
        problems.error({
          code: 'missing-credential',
          path: `${place}.credentials`,
          node: node.name,
          message: `${quote(node.name)} (${quote(node.type)}) needs a credential of type ${quote(type)}.`,
          fix: `Write "credentials": { ${quote(type)}: { "id": "…", "name": "…" } }, or another authentication.`,
        })
  }
}

function reportUnused(
  { node, place, facts }: CheckedNode,
  problems: CheckContext['problems'],
): void {
  const unused = unusedCredentials(node, facts)
  const isAlone = unused.length === Object.keys(node.credentials ?? {}).length
  const taken = new Set((facts?.credentials ?? []).map(({ name }) => name))
  const choice = facts?.required?.find(({ name }) => selectors.has(name))
  for (const type of unused) {
    const isKnown = taken.has(type) || choice !== undefined
    const problem: NewProblem = {
      code: 'unused-credential',
      path: joinPath(`${place}.credentials`, type),
      node: node.name,
      message: isKnown
        ? `${quote(node.name)} does not use its credential ${quote(type)}: its authentication is ${quote(node.parameters['authentication'] ?? 'not set')}.`
        : `${quote(node.type)} takes no credential ${quote(type)}${taken.size === 0 ? '' : `; it takes ${either([...taken])}`}.`,
      fix: isKnown
        ? `${waysToUse(type, { node, facts })}, or leave the credential out.`
        : (nearestTo(type, taken) ?? 'Leave it out.'),
    }
    // Its author takes it for authenticated, and it would go out without.
    if (isKnown && isAlone && node.parameters['authentication'] === undefined && !node.disabled)
      problems.error(problem)
    else problems.warn(problem)
  }
}

const selectors: ReadonlySet<string> = new Set(['genericAuthType', 'nodeCredentialType'])

function waysToUse(type: string, { node, facts }: Pick<CheckedNode, 'node' | 'facts'>): string {
  const own = facts?.credentials?.find(
    ({ name, versions }) => name === type && versions?.includes(node.typeVersion) !== false,
  )
  const shown = Object.entries(own?.show ?? {}).map(
    ([name, [value]]) => `${quote(name)}: ${JSON.stringify(value)}`,
  )
  if (shown.length > 0) return `Write ${shown.join(', ')}`
  return type.startsWith('http')
    ? `Write "authentication": "genericCredentialType", "genericAuthType": ${quote(type)}`
    : `Write "authentication": "predefinedCredentialType", "nodeCredentialType": ${quote(type)}`
}
