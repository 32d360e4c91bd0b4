import type { JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import { nameInstead } from '../parameters/closed-keys.ts'
import { ignoredInNode } from '../parameters/ignored-in-node.ts'
import type { IgnoredParameter, ParameterPath } from '../parameters/ignored-parameter.ts'
import type { UnmetClause } from '../parameters/read-condition.ts'
import { readNames } from '../parameters/read-names.ts'
import type { CheckContext, CheckedNode } from './check-context.ts'
import { conditionsFromOld, newOperation } from './old-conditions.ts'
import { either, quote } from './quote.ts'
import { joinAll, showPath } from './repair-parameters.ts'
import { rightFormOf } from './right-forms.ts'

const longestExample = 600
/** Of how many the right form is looked for, in a workflow; more are only named. */
const mostTold = 50

/** Whether n8n reads everything that stands in the parameters: what it does not read, it throws away without a word. */
export function checkIgnored(context: CheckContext): void {
  let told = 0
  for (const each of context.nodes) {
    const { node, facts, place } = each
    if (facts?.versions.includes(node.typeVersion) !== true) continue
    const ignored = ignoredInNode(node, node.parameters, context.catalogue)
    const hasHint = ignored.length > 0 && ignored.length + told <= mostTold
    const namesAt = rememberNames(each, context)
    const version = hasHint ? fittingVersion(each, context) : undefined
    for (const one of ignored) {
      told += 1
      context.problems.error({
        path: joinAll(`${place}.parameters`, one.path),
        node: node.name,
        ...(told > mostTold
          ? { code: 'ignored-parameter', message: `n8n does not read ${showPath(one.path)}.` }
          : tell(one, { ...each, version, namesAt }, context)),
      })
    }
  }
}

interface Told {
  readonly code: 'ignored-parameter' | 'ignored-condition'
  readonly message: string
  readonly fix: string
}

interface Place extends CheckedNode {
  /** The newest other version that reads all of the parameters. */
  readonly version: number | undefined
  /** The names that the node reads at a place. */
  readonly namesAt: (path: ParameterPath) => readonly string[]
}

function tell(one: IgnoredParameter, place: Place, context: CheckContext): Told {
  const { node, version } = place
  const release = `n8n ${context.catalogue.n8nVersion}`
  const what = `${showPath(one.path)} of ${quote(node.name)}`
  const own = `version ${node.typeVersion} of ${quote(node.type)}`
  const other =
    version === undefined ? '' : ` Or write "typeVersion": ${version}, whose form it is.`
  const operation = isObject(one.value) ? one.value['operation'] : undefined
  if (one.reason === 'form' && one.fix === undefined && one.path.at(-1) === 'operator')
    return {
      code: 'ignored-condition',
      message: `${release} knows no comparison ${quote(operation)} of type ${quote(isObject(one.value) ? one.value['type'] : undefined)}: ${what} holds for no item.`,
      fix: `Write ${example({ type: typeOf(one.value), operation: newOperation(operation) ?? 'equals' })}.`,
    }
  if (one.reason === 'form' && one.path.at(-1) === 'combinator')
    return {
      code: 'ignored-condition',
      message: `${release} knows no combinator ${quote(one.value)}: ${what} makes the conditions hold for no item.`,
      fix: 'Write "and" or "or".',
    }
  if (
    one.reason === 'form' &&
    typeof one.path.at(-1) === 'number' &&
    one.path.includes('conditions')
  )
    return {
      code: 'ignored-condition',
      message: `${release} fails on ${what}: it is no single condition, and conditions do not nest.`,
      fix: `Write ${JSON.stringify(singleCondition)}, and another If after this one for what is nested.`,
    }
  if (one.reason === 'form' && one.fix === undefined && one.path.includes('conditions')) {
    const form = conditionsFromOld(one.value, node.parameters['combineOperation'])
    return {
      code: 'ignored-condition',
      message: `${release} does not compare ${what}: they are not of the form that ${own} reads, so that they hold for every item.`,
      fix: `Write ${example({ [String(one.path.at(-1))]: form ?? conditionPattern })}.${other}`,
    }
  }
  const message = `${release} does not read ${what} (${own})${whyNot(one)}.`
  return { code: 'ignored-parameter', message, fix: `${fixOf(one, place)}${other}` }
}

const singleCondition: JsonValue = {
  leftValue: '…',
  operator: { type: 'string', operation: 'equals' },
  rightValue: '…',
}

const conditionPattern: JsonValue = {
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  combinator: 'and',
  conditions: [singleCondition],
}

function typeOf(value: JsonValue): JsonValue {
  const type = isObject(value) ? value['type'] : undefined
  return typeof type === 'string' ? type : 'string'
}

function example(value: JsonValue): string {
  const text = JSON.stringify(value)
  const shown = isObject(value) && !('operation' in value) ? text.slice(1, -1) : text
  return shown.length > longestExample ? `${shown.slice(0, longestExample)}…`.toWellFormed() : shown
}

function whyNot({ reason, unmet, why }: IgnoredParameter): string {
  if (why !== undefined) return `: ${why}`
  if (reason === 'form') return ': it is not of the form that it reads'
  const [first] = unmet
  if (reason === 'unknown' || first === undefined || first.length === 0) return ''
  return `: ${first.map((clause) => describe(clause)).join(', and ')}`
}

function describe({ has, isHide, name, wanted }: UnmetClause): string {
  const shown = has === undefined ? 'not set' : quote(has)
  const values = either(wanted.map((value) => (isFixed(value) ? value : JSON.stringify(value))))
  return `it reads it ${isHide ? 'unless' : 'only when'} ${nameOf(name)} is ${values}, and it is ${shown}`
}

function nameOf(name: string): string {
  return name === '@version' ? 'the version' : name.replace(/^\//, '')
}

function isFixed(value: UnmetClause['wanted'][number]): value is string | number | boolean {
  return typeof value !== 'object'
}

function fixOf(one: IgnoredParameter, { namesAt, node }: Place): string {
  if (one.fix !== undefined) return one.fix
  const form = rightFormOf(node, one.path, one.value)
  if (form !== undefined) return `Write ${example(form.parameters)} in its place.`
  const settings = one.unmet
    .map((clauses) => settingsFix(clauses))
    .find((each) => each !== undefined)
  if (settings !== undefined) return settings
  if (one.reason === 'form') return formFix(one, namesAt(one.path))
  const names = namesAt(one.path.slice(0, -1))
  const near = nameInstead(String(one.path.at(-1)), names)
  const read = names.slice(0, 15).join(', ')
  const more = names.length > 15 ? ` and ${names.length - 15} more` : ''
  const told = names.length === 0 ? '' : ` It reads ${read}${more} there.`
  return `${near ?? 'Leave it out.'}${told}`
}

/** Many parameters of one place ask for the same names. */
function rememberNames({ node }: CheckedNode, { catalogue }: CheckContext): Place['namesAt'] {
  const known = new Map<string, readonly string[]>()
  return (path) => {
    const key = JSON.stringify(path)
    const names = known.get(key) ?? readNames(node, path, catalogue)
    known.set(key, names)
    return names
  }
}

function formFix({ value }: IgnoredParameter, inner: readonly string[]): string {
  if (isObject(value) && value['value'] !== undefined && inner.length === 0)
    return `Write ${JSON.stringify({ __rl: true, mode: 'id' }).slice(0, -1)},"value":…}, or the value alone.`
  return inner.length === 0
    ? "Write it as n8n's editor exports it."
    : `Write an object with ${either(inner.slice(0, 10))}.`
}

/** What to set so that a parameter is read. What the author set may well be meant, so it is never to be changed unseen. */
function settingsFix(clauses: readonly UnmetClause[]): string | undefined {
  const settings = settingsOf(clauses)
  if (settings === undefined) return undefined
  const given = clauses.filter(({ isGiven }) => isGiven)
  if (given.length === 0) return `Put ${example(settings)} beside it, or leave it out.`
  const choice = given.find(({ wanted }) => wanted.length > 1)
  if (choice !== undefined)
    return `Leave it out, or use it only where ${describe(choice).replace(/^it reads it (?:only when )?(.*), and it is .*$/, '$1')}.`
  const set = given.map(({ has, name }) => [nameOf(name), has ?? null] as const)
  return `Leave it out, or write ${example(settings)} instead of ${example(Object.fromEntries(set))}.`
}

/** What to set so that a parameter is read, where each clause has a value for it. */
function settingsOf(clauses: readonly UnmetClause[]): JsonValue | undefined {
  const settings = clauses.map(({ isHide, name, wanted }) => {
    const value = wanted.find((each) => isFixed(each))
    return isHide || value === undefined || name.startsWith('@') ? undefined : [nameOf(name), value]
  })
  return clauses.length > 0 && settings.every((setting) => setting !== undefined)
    ? (Object.fromEntries(settings) as JsonValue)
    : undefined
}

/** The newest other version that reads all of the parameters. */
function fittingVersion(
  { node, facts }: CheckedNode,
  { catalogue }: CheckContext,
): number | undefined {
  return facts?.versions
    .filter((version) => version !== node.typeVersion)
    .findLast(
      (typeVersion) =>
        ignoredInNode({ type: node.type, typeVersion }, node.parameters, catalogue).length === 0,
    )
}
