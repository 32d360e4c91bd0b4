import type { JsonValue } from '@toolcrib/registry'
import type { ParameterPath } from '../parameters/ignored-parameter.ts'
import { ignoredParameters } from '../parameters/ignored-parameters.ts'
import type { CheckContext, CheckedNode } from './check-context.ts'
import { isExpression } from './expression-parts.ts'
import { nearestTo } from './nearest.ts'
import type { NewProblem } from './problem-list.ts'
import { oldOperation } from './old-conditions.ts'
import { either, quote } from './quote.ts'
import { joinAll, showPath } from './repair-parameters.ts'
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

/** At the top by the facts of the node, deeper down by those of the place. */
function checkValues(each: CheckedNode, context: CheckContext): void {
  const { node, facts } = each
  for (const [name, allowed] of Object.entries(facts?.values ?? {})) {
    const value = node.parameters[name]
    if (value !== undefined) checkValue(each, { path: [name], value, allowed }, context)
  }
  const { type, typeVersion: version } = node
  const told = new Set<string>()
  for (const list of context.catalogue.parameters?.(type, version) ?? [])
    ignoredParameters(list, node.parameters, {
      type,
      version,
      choice: (path, value, allowed) => {
        const place = JSON.stringify(path)
        // Two releases may say the same.
        if (!told.has(place)) checkValue(each, { path, value, allowed }, context)
        told.add(place)
      },
    })
}

/** What is often written in the place of a value. */
const otherValues: ReadonlyMap<JsonValue, string> = new Map([
  ['asc', 'ascending'],
  ['avg', 'average'],
  ['desc', 'descending'],
])

interface Choice {
  readonly path: ParameterPath
  readonly value: JsonValue
  readonly allowed: readonly (string | number | boolean)[]
}

function checkValue(
  { node, place }: CheckedNode,
  { path, value, allowed }: Choice,
  { problems }: CheckContext,
): void {
  if (value === null || typeof value === 'object' || allowed.includes(value)) return
  if (typeof value === 'string' && isExpression(value)) return
  const sameText = allowed.find(
    (each) => String(each).toLowerCase() === String(value).toLowerCase(),
  )
  const other = oldOperation(value) ?? otherValues.get(value)
  const right = sameText ?? (other !== undefined && allowed.includes(other) ? other : undefined)
  const problem: NewProblem = {
    code: 'bad-parameter-value',
    path: joinAll(`${place}.parameters`, path),
    node: node.name,
    message: `${showPath(path)} of ${quote(node.type)} is ${either(allowed)}; it is ${quote(value)}.`,
    fix:
      right === undefined
        ? (nearestTo(String(value), allowed.map(String)) ?? `Use one of them.`)
        : `Write ${quote(right)}${typeof right === 'string' ? '' : ', without quotation marks'}.`,
  }
  problems.error(problem)
}
