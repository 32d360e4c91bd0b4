import type { CheckContext, CheckedNode } from './check-context.ts'
import { isExpression } from './expression-parts.ts'
import { nearestTo } from './nearest.ts'
import { either, joinPath, quote } from './quote.ts'
import { isRequired } from './requirement.ts'

/** Whether nodes name the credentials that they need, and none that they cannot use. */
export function checkCredentials({ nodes, problems }: CheckContext): void {
  for (const each of nodes) {
    const { node, place, facts } = each
    if (facts === undefined) continue
    const chosen = chosenCredential(each)
    const taken = new Set((facts.credentials ?? []).map(({ name }) => name))
    for (const type of Object.keys(node.credentials ?? {}))
      // A node that lets its author choose takes any.
      if (!taken.has(type) && !choosesCredential(each))
        problems.warn({
          code: 'unused-credential',
          path: joinPath(`${place}.credentials`, type),
          node: node.name,
          message: `${quote(node.type)} takes no credential ${quote(type)}${taken.size === 0 ? '' : `; it takes ${either([...taken])}`}.`,
          fix: nearestTo(type, taken) ?? 'Leave it out.',
        })
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

function choosesCredential({ node }: CheckedNode): boolean {
  const { nodeCredentialType, genericAuthType, authentication } = node.parameters
  return (
    nodeCredentialType !== undefined ||
    genericAuthType !== undefined ||
    (typeof authentication === 'string' && isExpression(authentication))
  )
}

/** The type that an HTTP request names in its parameters. */
function chosenCredential({ node }: CheckedNode): string | undefined {
  const { authentication, nodeCredentialType, genericAuthType } = node.parameters
  const type =
    authentication === 'predefinedCredentialType'
      ? nodeCredentialType
      : authentication === 'genericCredentialType'
        ? genericAuthType
        : undefined
  return typeof type === 'string' && type !== '' && !isExpression(type) ? type : undefined
}
