import type { JsonValue } from '@toolcrib/registry'
import type { NodeFacts, NodeRequirement } from '../workflow-check.ts'
import { isExpression } from './expression-parts.ts'
import type { N8nNode } from '../n8n-workflow.ts'

/** Whether a node must have something; no when a condition depends on what is not known before it runs. */
export function isRequired(requirement: NodeRequirement, node: N8nNode, facts: NodeFacts): boolean {
  return !requirement.optional && applies(requirement, node, facts) === true
}

/** Whether the conditions of a requirement hold; `undefined` where that is not known before the node runs. */
function applies(
  { versions, show = {}, hide = {} }: NodeRequirement,
  node: N8nNode,
  facts: NodeFacts,
): boolean | undefined {
  if (versions?.includes(node.typeVersion) === false) return false
  const judge = ([name, values]: readonly [string, readonly JsonValue[]]): boolean | undefined => {
    const value = node.parameters[name] ?? facts.defaults?.[name]
    return isKnown(value) ? values.includes(value) : undefined
  }
  const shows = new Set(Object.entries(show).map((clause) => judge(clause)))
  const hides = new Set(Object.entries(hide).map((clause) => judge(clause)))
  if (shows.has(false) || hides.has(true)) return false
  return shows.has(undefined) || hides.has(undefined) ? undefined : true
}

function isKnown(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && !(typeof value === 'string' && isExpression(value))
}

/** The type of credential that a node names in its parameters, in place of one that its description lists. */
export function chosenCredential({ parameters }: N8nNode): string | undefined {
  const { authentication, nodeCredentialType, genericAuthType } = parameters
  const type =
    authentication === 'predefinedCredentialType'
      ? nodeCredentialType
      : authentication === 'genericCredentialType'
        ? genericAuthType
        : undefined
  return typeof type === 'string' && type !== '' && !isExpression(type) ? type : undefined
}

/**
 * The types of credential that a node names and n8n does not give it: it gives those that its description shows as its
 * parameters are (n8n-core, node-execution-context), and to HTTP requests the chosen one.
 */
export function unusedCredentials(node: N8nNode, facts: NodeFacts | undefined): readonly string[] {
  const { authentication, nodeCredentialType, genericAuthType } = node.parameters
  const isOpen = [authentication, nodeCredentialType, genericAuthType].some(
    (value) => typeof value === 'string' && isExpression(value),
  )
  if (facts === undefined || isOpen) return []
  const chosen = chosenCredential(node)
  return Object.keys(node.credentials ?? {}).filter(
    (type) =>
      type !== chosen &&
      (facts.credentials ?? []).every(
        (each) => each.name !== type || applies(each, node, facts) === false,
      ),
  )
}
