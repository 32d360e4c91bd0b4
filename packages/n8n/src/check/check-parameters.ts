import type { JsonValue } from '@toolcrib/registry'
import type { CheckContext, CheckedNode } from './check-context.ts'
import { isExpression } from './expression-parts.ts'
import { nearestTo } from './nearest.ts'
import type { NewProblem } from './problem-list.ts'
import { either, joinPath, quote } from './quote.ts'
import { isRequired } from './requirement.ts'

/** Whether nodes have what they need, and known parameters a value that they may have. */
export function checkParameters(context: CheckContext): void {
  for (const each of context.nodes) {
    // n8n asks nothing of a node that never runs.
    if (each.node.disabled) continue
    checkRequired(each, context)
    checkValues(each, context)
  }
}

function checkRequired({ node, place, facts }: CheckedNode, { problems }: CheckContext): void {
  const reported = new Set<string>()
  for (const requirement of facts?.required ?? []) {
    const { name } = requirement
    const value = node.parameters[name]
    const isMissing = value === undefined || value === null || value === ''
    if (!isMissing || !facts || reported.has(name) || !isRequired(requirement, node, facts))
      continue
    reported.add(name)
    problems.error({
      code: 'missing-parameter',
      path: `${place}.parameters.${name}`,
      node: node.name,
      message: `${quote(node.name)} (${quote(node.type)}) needs the parameter ${name}.`,
      fix: `Put "${name}" into its parameters.`,
    })
  }
}

/** Only at the top of the parameters: deeper down, the same name may mean something else. */
function checkValues({ node, place, facts }: CheckedNode, { problems }: CheckContext): void {
  for (const [name, allowed] of Object.entries(facts?.values ?? {})) {
    const value: JsonValue | undefined = node.parameters[name]
    if (value === undefined || value === null || typeof value === 'object') continue
    if (typeof value === 'string' && isExpression(value)) continue
    if (allowed.includes(value)) continue
    const sameText = allowed.find(
      (each) => String(each).toLowerCase() === String(value).toLowerCase(),
    )
    const problem: NewProblem = {
      code: 'bad-parameter-value',
      path: joinPath(`${place}.parameters`, name),
      node: node.name,
      message: `${name} of ${quote(node.type)} is ${either(allowed)}; it is ${quote(value)}.`,
      fix:
        sameText === undefined
          ? (nearestTo(String(value), allowed.map(String)) ?? `Use one of them.`)
          : `Write ${quote(sameText)}.`,
    }
    // HTTP takes "get" as well as "GET".
    if (sameText === undefined) problems.error(problem)
    else problems.warn(problem)
  }
}
