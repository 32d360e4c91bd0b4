import type { JsonValue } from '@toolcrib/registry'
import type { NodeFacts, NodeRequirement } from '../workflow-check.ts'
import { isExpression } from './expression-parts.ts'
import type { N8nNode } from '../n8n-workflow.ts'

/** Whether a node must have something; no when a condition depends on what is not known before it runs. */
export function isRequired(requirement: NodeRequirement, node: N8nNode, facts: NodeFacts): boolean {
  const { optional, versions, show = {}, hide = {} } = requirement
  if (optional || versions?.includes(node.typeVersion) === false) return false
  const valueOf = (name: string): JsonValue | undefined =>
    node.parameters[name] ?? facts.defaults?.[name]
  const shows = Object.entries(show).every(([name, values]) => {
    const value = valueOf(name)
    return isKnown(value) && (values as readonly JsonValue[]).includes(value)
  })
  const hides = Object.entries(hide).some(([name, values]) => {
    const value = valueOf(name)
    return !isKnown(value) || (values as readonly JsonValue[]).includes(value)
  })
  return shows && !hides
}

function isKnown(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && !(typeof value === 'string' && isExpression(value))
}
