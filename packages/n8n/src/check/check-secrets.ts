import type { JsonValue } from '@toolcrib/registry'
import type { CheckContext, CheckedNode } from './check-context.ts'
import { isExpression } from './expression-parts.ts'
import { isObject } from '../is-object.ts'
import { joinPath, quote } from './quote.ts'
import { findSecrets, type FoundSecret, hint, isSecretUnder } from './secret-patterns.ts'
import { collect, type TextParameter, textParameters } from './text-parameters.ts'

/** Whether a secret stands in the workflow in plain text: everybody who may see the workflow sees it, and so does a model. */
export function checkSecrets(context: CheckContext): void {
  for (const each of context.nodes) {
    const { node, place } = each
    const named = new Map(namedTexts(node.parameters, `${place}.parameters`))
    const texts = [...textParameters(each)]
    if (node.notes !== undefined)
      texts.push({ path: `${place}.notes`, key: 'notes', text: node.notes })
    for (const parameter of texts)
      report(secretsIn(parameter, named.get(parameter.path)), { ...parameter, each }, context)
  }
  const { pinData, staticData, name } = context.workflow
  const rest: TextParameter[] = [{ path: 'name', key: 'name', text: name }]
  collect(
    { ...(pinData && { pinData }), ...(isObject(staticData) && { staticData }) },
    { path: '', key: '' },
    rest,
  )
  for (const parameter of rest) report(secretsIn(parameter), parameter, context)
}

function secretsIn({ key, text }: TextParameter, name?: string): readonly FoundSecret[] {
  const found = findSecrets(text)
  if (found.length > 0 || isExpression(text)) return found
  const isNamed = [key, name ?? ''].some((each) => isSecretUnder(each, text))
  return isNamed ? [{ kind: `the value of ${quote(name ?? key)}`, value: text }] : []
}

/**
 * Values of pairs such as `{ "name": "X-Api-Key", "value": "…" }`, by path, with their names.
 *
 * @yields the path of a value and its name
 */
function* namedTexts(value: JsonValue, path: string): Generator<readonly [string, string]> {
  if (Array.isArray(value))
    for (const [index, entry] of (value as readonly JsonValue[]).entries())
      yield* namedTexts(entry, joinPath(path, index))
  else if (isObject(value)) {
    const { name, key } = value
    const label = typeof name === 'string' ? name : key
    if (typeof label === 'string' && typeof value['value'] === 'string')
      yield [joinPath(path, 'value'), label]
    for (const [field, entry] of Object.entries(value))
      yield* namedTexts(entry, joinPath(path, field))
  }
}

function report(
  secrets: readonly FoundSecret[],
  { path, each }: { readonly path: string; readonly each?: CheckedNode },
  { problems }: CheckContext,
): void {
  const seen = new Set<string>()
  for (const { kind, value } of secrets) {
    problems.hide(value)
    // One text may look like several kinds; the first is the most exact.
    if ([...seen].some((other) => other.includes(value) || value.includes(other))) continue
    seen.add(value)
    problems.error({
      code: 'secret-in-workflow',
      path,
      ...(each && { node: each.node.name }),
      message: `${each ? quote(each.node.name) : path} holds ${kind} in plain text: ${hint(value)}.`,
      fix: 'Keep it in a credential of n8n, and name the credential in the node.',
    })
  }
}
