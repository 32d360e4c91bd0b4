import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import { holdsWithoutConditions } from '../parameters/empty-conditions.ts'
import { baseType, type CheckContext, type CheckedNode } from './check-context.ts'
import { isExpression } from './expression-parts.ts'
import { nearestTo } from './nearest.ts'
import { either, quote } from './quote.ts'

/** Whether conditions compare anything, and the fields of a Set have a name and a type. */
export function checkFields(context: CheckContext): void {
  for (const each of context.nodes) {
    const { node } = each
    if (node.disabled) continue
    const kind = baseType(node)
    if (kind === 'if' || kind === 'filter') checkConditions(each, context)
    if (kind === 'set' && node.typeVersion >= 3.3) checkAssignments(each, context)
  }
}

function checkConditions({ node, place }: CheckedNode, { problems }: CheckContext): void {
  const holds = holdsWithoutConditions(node)
  if (holds === undefined) return
  problems.warn({
    code: 'no-conditions',
    path: `${place}.parameters.conditions`,
    node: node.name,
    message: `${quote(node.name)} has no condition, so that ${holds ? 'every item' : 'no item'} passes.`,
    fix: 'Give it a condition, or remove it.',
  })
}

// n8n converts to these, and leaves a value of another type as it is: n8n-workflow, type-validation.
const types =
  'string number boolean array object binary dateTime time string-alphanumeric url jwt'.split(' ')
const otherTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  date: 'dateTime',
  float: 'number',
  int: 'number',
  integer: 'number',
  json: 'object',
  list: 'array',
  text: 'string',
}

function checkAssignments({ node, place }: CheckedNode, { problems }: CheckContext): void {
  const { assignments } = node.parameters
  const list = isObject(assignments) ? assignments['assignments'] : undefined
  if (!Array.isArray(list)) return
  for (const [index, entry] of (list as readonly JsonValue[]).entries()) {
    if (!isObject(entry)) continue
    const report = (
      key: string,
      problem: { code: 'missing-parameter' | 'bad-parameter-value'; message: string; fix: string },
    ): void =>
      problems.error({
        ...problem,
        path: `${place}.parameters.assignments.assignments[${index}].${key}`,
        node: node.name,
      })
    for (const key of ['name', 'type'])
      if (entry[key] === undefined || entry[key] === null || (key === 'type' && entry[key] === ''))
        report(key, {
          code: 'missing-parameter',
          message: `A field of ${quote(node.name)} has no ${key}, ${key === 'name' ? 'so that n8n calls it "undefined"' : 'so that n8n fails'}.`,
          fix:
            key === 'name'
              ? 'Write "name": "…" into it.'
              : `Write "type": ${quote(typeOf(entry))} into it.`,
        })
    const { type } = entry
    if (typeof type !== 'string' || type === '' || isExpression(type) || isType(type)) continue
    const wanted = otherTypes[type.toLowerCase()] ?? type.replace(/Value$/, '')
    report('type', {
      code: 'bad-parameter-value',
      message: `The type of a field of a Set node is ${either(types.slice(0, 6))}; it is ${quote(type)}, and n8n leaves the value as it is.`,
      fix: isType(wanted)
        ? `Write "type": ${quote(wanted)}.`
        : (nearestTo(type, types) ?? 'Use one of them.'),
    })
  }
}

function isType(type: string): boolean {
  return types.some((each) => each.toLowerCase() === type.toLowerCase())
}

function typeOf({ value }: JsonObject): string {
  if (Array.isArray(value)) return 'array'
  return isObject(value)
    ? 'object'
    : typeof value === 'number' || typeof value === 'boolean'
      ? typeof value
      : 'string'
}
