import cronstrue from 'cronstrue'
import { plainCron } from '../check/cron-expression.ts'
import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import { kindOf } from './node-families.ts'
import { NodeParameters } from './node-parameters.ts'
import { quoteCut } from './show-text.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** When a schedule trigger starts its workflow, one sentence part for each of its rules; `undefined` for other nodes. */
export function showSchedule(node: N8nNode, workflow: N8nWorkflow): readonly string[] | undefined {
  const kind = kindOf(node)
  if (kind === 'cron' || kind === 'interval') return ['on a schedule that its parameters give']
  if (kind !== 'scheduleTrigger') return undefined
  const parameters = new NodeParameters(node.parameters)
  const rules = parameters.list('rule', 'interval')
  const zone = showZone(workflow)
  return (rules.length === 0 ? [{}] : rules).map(
    (_, index) => `${showRule(parameters, index)}, ${zone}`,
  )
}

function showZone({ settings }: N8nWorkflow): string {
  const zone = Object.hasOwn(settings, 'timezone') ? settings['timezone'] : undefined
  return typeof zone === 'string' && zone !== 'DEFAULT'
    ? `time zone ${/^[A-Za-z0-9_+/-]{1,64}$/.test(zone) ? zone : quoteCut(zone, 64)}`
    : 'in the time zone of the server'
}

function showRule(parameters: NodeParameters, index: number): string {
  const field = (name: string, fallback: number): number | undefined => {
    const value = parameters.at('rule', 'interval', index, name) ?? fallback
    return typeof value === 'number' ? value : undefined
  }
  const unknown = 'on a schedule that its parameters give'
  const unit = parameters.at('rule', 'interval', index, 'field') ?? 'days'
  const minute = field('triggerAtMinute', 0)
  const hour = field('triggerAtHour', 0)
  const time =
    hour === undefined || minute === undefined
      ? undefined
      : `at ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  const every = (name: string, fallback: number, singular: string): string | undefined => {
    const count = field(name, fallback)
    return count === undefined
      ? undefined
      : count === 1
        ? `every ${singular}`
        : `every ${count} ${singular}s`
  }
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.includes(undefined) ? unknown : parts.join(' ')
  if (unit === 'cronExpression') return showCron(parameters, index) ?? unknown
  if (unit === 'seconds') {
    const seconds = field('secondsInterval', 30)
    // n8n counts them anew in each minute.
    return seconds !== undefined && seconds > 0 && 60 % seconds !== 0
      ? (cronWords(`*/${seconds} * * * * *`) ?? unknown)
      : join(every('secondsInterval', 30, 'second'))
  }
  if (unit === 'minutes') return join(every('minutesInterval', 5, 'minute'))
  if (unit === 'hours')
    return join(
      every('hoursInterval', 1, 'hour'),
      minute === undefined ? minute : `at minute ${minute}`,
    )
  if (unit === 'days') return join(every('daysInterval', 1, 'day'), time)
  if (unit === 'weeks')
    return join(every('weeksInterval', 1, 'week'), showDays(parameters, index), time)
  const day = field('triggerAtDayOfMonth', 1)
  if (unit === 'months')
    return join(
      every('monthsInterval', 1, 'month'),
      day === undefined ? day : `on day ${day}`,
      time,
    )
  return unknown
}

function showDays(parameters: NodeParameters, index: number): string | undefined {
  const days = parameters.at('rule', 'interval', index, 'triggerAtDay') ?? [0]
  if (!Array.isArray(days)) return undefined
  // n8n-nodes-base, Schedule/GenericFunctions.
  if (days.length === 0) return 'on every day'
  const names = days.map((day) => (typeof day === 'number' ? weekdays[day % 7] : undefined))
  return names.includes(undefined) ? undefined : `on ${[...new Set(names)].join(', ')}`
}

function showCron(parameters: NodeParameters, index: number): string | undefined {
  const expression = parameters.text('rule', 'interval', index, 'expression')
  if (expression === undefined || expression.length > 100) return undefined
  const words = cronWords(expression)
  return words === undefined
    ? `on the cron expression ${quoteCut(expression, 100)}, which nobody can read`
    : `${words} (cron ${quoteCut(expression, 100)})`
}

function cronWords(expression: string): string | undefined {
  try {
    return (plainCron(expression) ?? [expression])
      .map((plain) => {
        const words = cronstrue.toString(plain, { use24HourTimeFormat: true, verbose: true })
        return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
      })
      .join('; or ')
  } catch {
    return undefined
  }
}
