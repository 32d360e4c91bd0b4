import type { JsonValue } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'

/** What the versions of If and Filter call it when one of several conditions is enough. */
const anyOf: ReadonlySet<JsonValue | undefined> = new Set(['or', 'any', 'OR'])

/**
 * What an If or Filter takes for true where it has nothing to compare: all of no conditions hold, one of none does not
 * (n8n-workflow, node-parameters/filter-parameter; n8n-nodes-base, If/V1 and Filter/V1). `undefined` where it compares.
 */
export function holdsWithoutConditions({
  parameters,
}: Pick<N8nNode, 'parameters'>): boolean | undefined {
  const { conditions, combineOperation, combineConditions } = parameters
  if (!comparesNothing(conditions)) return undefined
  const combinator = isObject(conditions) ? conditions['combinator'] : undefined
  return ![combinator, combineOperation, combineConditions].some((word) => anyOf.has(word))
}

/** Whether there is no condition, in the form of whatever version. */
function comparesNothing(conditions: JsonValue | undefined): boolean {
  if (conditions === undefined) return true
  return (
    isObject(conditions) &&
    !Object.values(conditions).some((list) =>
      Array.isArray(list) ? list.length > 0 : typeof list === 'string' && isExpression(list),
    )
  )
}
