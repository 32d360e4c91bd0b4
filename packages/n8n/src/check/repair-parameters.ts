import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import { withoutPaths, withValueAt } from '../parameters/change-parameters.ts'
import { ignoredInNode } from '../parameters/ignored-in-node.ts'
import type { IgnoredParameter, ParameterPath } from '../parameters/ignored-parameter.ts'
import { findNodeFacts } from '../node-catalogue.ts'
import { completeConditions } from './complete-conditions.ts'
import { either, joinPath, quote } from './quote.ts'
import type { ReadContext } from './read-context.ts'
import { rightFormOf } from './right-forms.ts'

/** More are not tried in one node; what is left is a problem. */
const mostRepairs = 50

/**
 * Mends parameters that n8n would not read, where there is one way only: what holds nothing, or a text of the editor, is left out, and a switch that is
 * not there and that something needs is put in. What the author set stays as it is.
 */
export function repairParameters(node: N8nNode, place: string, context: ReadContext): N8nNode {
  const { catalogue, repairs } = context
  const find = (parameters: JsonObject): readonly IgnoredParameter[] =>
    ignoredInNode(node, parameters, catalogue)
  const warn = ({ path }: IgnoredParameter, right: string, where: string): void =>
    context.problems.warn({
      code: 'ignored-parameter',
      path: joinAll(`${place}.parameters`, path),
      node: node.name,
      message: `n8n would not have read ${showPath(path)} of ${quote(node.name)}; that is repaired.`,
      fix: `Write ${right.length > 600 ? `${right.slice(0, 600)}…`.toWellFormed() : right} ${where}.`,
    })
  let parameters = withRightCase(node, completeConditions(node, repairs), context)
  const empty = find(parameters).filter(
    ({ path, reason, value }) =>
      isNothing(value) || (reason === 'unknown' && /notice$/i.test(String(path.at(-1)))),
  )
  if (empty.length > 0) {
    parameters = withoutPaths(
      parameters,
      empty.map(({ path }) => path),
    )
    const shown = empty.slice(0, mostRepairs).map(({ path }) => showPath(path))
    const names = either(shown).replace(' or ', ' and ')
    const more = empty.length > shown.length ? ` and ${empty.length - shown.length} more` : ''
    repairs.push(
      `Left out ${names}${more} of ${quote(node.name)}: they hold nothing, and n8n does not read them.`,
    )
  }
  for (const each of find(parameters).slice(0, mostRepairs)) {
    const form = rightFormOf(node, each.path, each.value)
    if (form?.isSure !== true) continue
    const names = Object.keys(form.parameters)
    const given = parameters
    const contradicts = (name: string): boolean =>
      Object.hasOwn(given, name) &&
      JSON.stringify(given[name]) !== JSON.stringify(form.parameters[name])
    if (names.some((name) => contradicts(name))) continue
    const before = find(parameters)
    const changed = { ...withoutPaths(parameters, [each.path]), ...form.parameters }
    if (isWorse(find(changed), before)) continue
    parameters = changed
    repairs.push(
      `Wrote ${showPath(each.path)} of ${quote(node.name)} as ${either(names).replace(' or ', ' and ')}, which its version reads.`,
    )
    warn(each, JSON.stringify(form.parameters).slice(1, -1), 'in its place')
  }
  for (const each of find(parameters).slice(0, mostRepairs))
    for (const switches of switchesFor(each)) {
      const before = find(parameters)
      // It may be read by now, for the sake of another one.
      if (!has(before, each.path)) break
      let changed = parameters
      for (const [path, value] of switches) changed = withValueAt(changed, path, value)
      const after = find(changed)
      if (has(after, each.path) || isWorse(after, before)) continue
      parameters = changed
      const put = switches
        .map(([path, value]) => `${quote(path.at(-1))}: ${JSON.stringify(value)}`)
        .join(', ')
      repairs.push(`Put ${put} beside ${showPath(each.path)} of ${quote(node.name)}.`)
      warn(each, put, 'beside it')
    }
  return parameters === node.parameters ? node : { ...node, parameters }
}

/** Words that n8n knows in another case only, and fails on. */
function withRightCase(
  { name: node, type }: N8nNode,
  parameters: JsonObject,
  { catalogue, repairs }: ReadContext,
): JsonObject {
  const { values = {} } = findNodeFacts(catalogue, type) ?? {}
  const wrong = Object.entries(values).flatMap(([name, allowed]) => {
    const value = parameters[name]
    if (typeof value !== 'string' || allowed.includes(value)) return []
    const right = allowed.filter((each) => String(each).toLowerCase() === value.toLowerCase())
    return right.length === 1 && typeof right[0] === 'string' ? [[name, right[0]] as const] : []
  })
  for (const [name, right] of wrong)
    repairs.push(`Wrote ${name} of ${quote(node)} as ${quote(right)}, in the case that n8n knows.`)
  return wrong.length === 0 ? parameters : { ...parameters, ...Object.fromEntries(wrong) }
}

function has(ignored: readonly IgnoredParameter[], path: ParameterPath): boolean {
  const wanted = JSON.stringify(path)
  return ignored.some((each) => JSON.stringify(each.path) === wanted)
}

type Setting = readonly [ParameterPath, JsonValue]

/** Whether something is not read that was read before. */
function isWorse(after: readonly IgnoredParameter[], before: readonly IgnoredParameter[]): boolean {
  const known = new Set(before.map(({ path }) => JSON.stringify(path)))
  return after.some(({ path }) => !known.has(JSON.stringify(path)))
}

/**
 * What has to be put in so that something is read, where nothing else would do and nobody said otherwise: switches alone, and
 * where they are not enough, that it is JSON what is given.
 */
function switchesFor({ path, reason, unmet }: IgnoredParameter): readonly (readonly Setting[])[] {
  if (reason !== 'hidden') return []
  const ways = unmet.map((clauses) => {
    const settings = clauses.map(({ has: current, isGiven, isHide, name, wanted }) => {
      const [value, ...others] = wanted
      const isSwitch = value === true && current === false
      const isForm = value === 'json' && /^specify[A-Z]/.test(name)
      if (isHide || isGiven || others.length > 0 || !(isSwitch || isForm)) return undefined
      const at = name.startsWith('/') ? [name.slice(1)] : [...path.slice(0, -1), name]
      return [at, value] as const
    })
    const known = settings.filter((setting) => setting !== undefined)
    const switches = known.filter(([, value]) => value === true)
    return [switches, ...(known.length === settings.length ? [known] : [])].filter(
      (each) => each.length > 0,
    )
  })
  const [way = [], ...others] = ways.filter((each) => each.length > 0)
  return others.some((other) => JSON.stringify(other) !== JSON.stringify(way)) ? [] : way
}

/** Whether a value says nothing: an empty text, list or object, or one of such. */
function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every((each) => isNothing(each))
  return isObject(value) && Object.values(value).every((each) => isNothing(each))
}

/** Such as `options.redirect`, from the parameters on. */
export function showPath(path: ParameterPath): string {
  return joinAll('', path)
}

export function joinAll(start: string, path: ParameterPath): string {
  let joined = start
  for (const step of path) joined = joinPath(joined, step)
  return joined
}
