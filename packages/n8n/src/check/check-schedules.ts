import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { baseType, type CheckContext, type CheckedNode } from './check-context.ts'
import { cronProblem } from './cron-expression.ts'
import { isExpression } from './expression-parts.ts'
import { isObject } from '../is-object.ts'
import { either, quote } from './quote.ts'

const scheduleFields = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'cronExpression']

/** What n8n takes, lowest and highest; beyond, a trigger is dead although its workflow counts as active. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  secondsInterval: [1, 59],
  minutesInterval: [1, 59],
  hoursInterval: [1, 23],
  daysInterval: [1, 31],
  // n8n 2 counts weeks within 52 of them, so that a longer interval never ends.
  weeksInterval: [1, 51],
  monthsInterval: [1, 120],
  triggerAtHour: [0, 23],
  triggerAtMinute: [0, 59],
  triggerAtDayOfMonth: [1, 31],
}

/** By field, the parameters that n8n reads. */
const readBy: Readonly<Record<string, readonly string[]>> = {
  seconds: ['secondsInterval'],
  minutes: ['minutesInterval'],
  hours: ['hoursInterval', 'triggerAtMinute'],
  days: ['daysInterval', 'triggerAtHour', 'triggerAtMinute'],
  weeks: ['weeksInterval', 'triggerAtHour', 'triggerAtMinute'],
  months: ['monthsInterval', 'triggerAtDayOfMonth', 'triggerAtHour', 'triggerAtMinute'],
}

/** Whether schedules would start: n8n takes bad ones, shows the workflow as active, and never runs it. */
export function checkSchedules(context: CheckContext): void {
  for (const each of context.nodes) {
    if (each.node.disabled) continue
    const { parameters } = each.node
    if (baseType(each.node) === 'scheduleTrigger')
      checkList(parameters['rule'], 'rule.interval', (rule, path) =>
        checkRule(rule, { path: `${each.place}.parameters.${path}`, each }, context),
      )
    for (const key of ['triggerTimes', 'pollTimes'])
      if (each.facts?.isTrigger)
        checkList(parameters[key], `${key}.item`, (rule, path) => {
          if (rule['mode'] === 'custom')
            checkCron(
              rule['cronExpression'],
              { path: `${each.place}.parameters.${path}.cronExpression`, each },
              context,
            )
        })
  }
}

function checkList(
  value: JsonValue | undefined,
  path: string,
  check: (rule: JsonObject, path: string) => void,
): void {
  const list = isObject(value) ? value[path.split('.')[1] ?? ''] : undefined
  if (!Array.isArray(list)) return
  for (const [index, rule] of (list as readonly JsonValue[]).entries())
    if (isObject(rule)) check(rule, `${path}[${index}]`)
}

interface Place {
  readonly path: string
  readonly each: CheckedNode
}

function checkRule(rule: JsonObject, { path, each }: Place, context: CheckContext): void {
  const { field = 'days', expression } = rule
  if (field === 'cronExpression')
    return checkCron(expression, { path: `${path}.expression`, each }, context)
  const report = (key: string, message: string): void =>
    context.problems.error({
      code: 'bad-schedule',
      path: `${path}.${key}`,
      node: each.node.name,
      message,
      fix: 'Correct it, or use a cron expression: { "field": "cronExpression", "expression": "0 9 * * *" }.',
    })
  if (typeof field !== 'string' || !(scheduleFields.includes(field) || isExpression(field)))
    return report(
      'field',
      `field of a schedule is ${either(scheduleFields)}; it is ${quote(field)}.`,
    )
  for (const key of readBy[field] ?? []) {
    const value = rule[key]
    const [lowest, highest] = ranges[key] ?? [0, 0]
    if (value === undefined || (typeof value === 'string' && isExpression(value))) continue
    const isRight =
      Number.isInteger(Number(value)) && Number(value) >= lowest && Number(value) <= highest
    if (!isRight || typeof value === 'boolean' || value === null || value === '')
      report(key, `${key} is a whole number from ${lowest} to ${highest}; it is ${quote(value)}.`)
  }
  reportUneven(rule, { field, release: context.catalogue.n8nVersion, report })
  const { triggerAtDay } = rule
  if (field !== 'weeks' || triggerAtDay === undefined) return undefined
  const isWeekdays =
    Array.isArray(triggerAtDay) &&
    (triggerAtDay as readonly JsonValue[]).every(
      (day) => typeof day === 'number' && /^[0-7]$/.test(String(day)),
    )
  if (!isWeekdays && !(typeof triggerAtDay === 'string' && isExpression(triggerAtDay)))
    report(
      'triggerAtDay',
      `triggerAtDay is a list of 0 (Sunday) to 6; it is ${quote(triggerAtDay)}.`,
    )
  return undefined
}

/** On 1.x, what an interval has to divide: it begins anew with each whole, and waits for a time that does not come. */
const wholes: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 24,
  days: 1,
  weeks: 1,
  months: 12,
}

/** Intervals that n8n 1.x stops to heed: n8n-nodes-base, Schedule/GenericFunctions, recurrenceCheck. */
function reportUneven(
  rule: JsonObject,
  {
    field,
    release,
    report,
  }: {
    readonly field: string
    readonly release: string
    readonly report: (key: string, message: string) => void
  },
): void {
  const key = `${field}Interval`
  const count = Number(rule[key] ?? 1)
  const whole = wholes[field]
  if (!release.startsWith('1.') || whole === undefined || !Number.isInteger(count)) return
  if (count < 1 || whole % count === 0) return
  report(
    key,
    field === 'minutes'
      ? `n8n 1.x counts minutes anew in each hour, so that every ${count} minutes is none that it keeps.`
      : whole === 1
        ? `n8n 1.x stops to run a schedule of every ${count} ${field} for good at the end of a year.`
        : `n8n 1.x runs a schedule of every ${count} ${field} a few times and then never again, for ${count} does not divide ${whole}.`,
  )
}

function checkCron(
  expression: JsonValue | undefined,
  { path, each }: Place,
  { problems }: CheckContext,
): void {
  if (typeof expression === 'string' && isExpression(expression)) return
  const reason =
    typeof expression === 'string' ? cronProblem(expression) : 'it is missing, or no text'
  if (reason === undefined) return
  problems.error({
    code: 'bad-cron',
    path,
    node: each.node.name,
    message: `n8n never starts a schedule with the cron expression ${quote(expression)}: ${reason}.`,
    fix: 'Write minute, hour, day, month and weekday, such as "0 9 * * 1-5".',
  })
}
