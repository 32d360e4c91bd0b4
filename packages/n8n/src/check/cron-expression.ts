interface CronField {
  readonly name: string
  readonly lowest: number
  readonly highest: number
}

const fields: readonly CronField[] = [
  { name: 'second', lowest: 0, highest: 59 },
  { name: 'minute', lowest: 0, highest: 59 },
  { name: 'hour', lowest: 0, highest: 23 },
  { name: 'day of the month', lowest: 1, highest: 31 },
  { name: 'month', lowest: 1, highest: 12 },
  { name: 'day of the week', lowest: 0, highest: 7 },
]

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const aliases: ReadonlyMap<string, number> = new Map([
  ...months.map((name, index) => [name, index + 1] as const),
  ...weekdays.map((name, index) => [name, index] as const),
])
const presets: ReadonlySet<string> = new Set(
  'secondly minutely hourly daily weekly monthly yearly weekdays weekends'
    .split(' ')
    .map((name) => `@${name}`),
)
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Why n8n would not start a schedule with this cron expression; undefined when it would. n8n takes five fields, or six with
 * the seconds first, names of months and weekdays, `*`, lists, ranges and steps, and presets such as `@daily`.
 */
export function cronProblem(expression: string): string | undefined {
  const text = expression.toLowerCase()
  if (presets.has(text)) return undefined
  const sets = readCron(expression)
  if (typeof sets === 'string') return sets
  const [days, monthNumbers, weekdayNumbers] = sets.slice(-3)
  if (!days || !monthNumbers || !weekdayNumbers) return undefined
  const everyWeekday = new Set([...weekdayNumbers].map((day) => day % 7)).size === 7
  const falls = [...monthNumbers].some((month) =>
    [...days].some((day) => day <= (daysOfMonths[month - 1] ?? 31)),
  )
  return everyWeekday && !falls ? 'there is no such day in these months' : undefined
}

/** The values of each of its five or six fields, or why it has none. */
function readCron(expression: string): readonly ReadonlySet<number>[] | string {
  const text = expression.toLowerCase()
  const unknown = (text.match(/[a-z]{1,3}/g) ?? []).find((word) => !aliases.has(word))
  if (unknown !== undefined)
    return `${JSON.stringify(unknown)} is no month, weekday or preset such as @daily`
  const parts = text
    .replaceAll(/[a-z]{3}/g, (word) => String(aliases.get(word)))
    .trim()
    .split(/\s+/)
  if (parts.length < 5 || parts.length > 6)
    return `it has ${expression.trim() === '' ? 'no' : parts.length} fields, and n8n takes 5, or 6 with seconds`
  const sets: ReadonlySet<number>[] = []
  for (const [index, field] of fields.slice(6 - parts.length).entries()) {
    const values = readField(parts[index] ?? '', field)
    if (typeof values === 'string') return values
    sets.push(values)
  }
  return sets
}

/**
 * Expressions with the same times, of which each says no more than it seems to: steps only where they divide their range, all
 * else written out. Two where a day of the month and a weekday are given: n8n runs on either.
 */
export function plainCron(expression: string): readonly string[] | undefined {
  const sets = readCron(expression)
  if (typeof sets === 'string') return undefined
  const written = sets.map((set, index) => writeField(set, fields[index + 6 - sets.length]))
  const [day = '*', month = '*', weekday = '*'] = written.slice(-3)
  const start = written.slice(0, -3)
  return day === '*' || weekday === '*'
    ? [[...start, day, month, weekday].join(' ')]
    : [[...start, day, month, '*'].join(' '), [...start, '*', month, weekday].join(' ')]
}

function writeField(given: ReadonlySet<number>, field: CronField | undefined): string {
  const isWeekday = field?.highest === 7
  const values = [...new Set([...given].map((value) => (isWeekday ? value % 7 : value)))].toSorted(
    (left, right) => left - right,
  )
  const lowest = field?.lowest ?? 0
  const size = (isWeekday ? 7 : (field?.highest ?? 0) + 1) - lowest
  if (values.length === size) return '*'
  const [first = 0, second] = values
  const step = second === undefined ? 0 : second - first
  const isEven = step > 0 && values.every((value, index) => value === first + index * step)
  if (isEven && step === 1 && values.length > 2) return `${first}-${values.at(-1) ?? first}`
  const isWhole = isEven && first === lowest && values.length * step === size && size % step === 0
  // The days of a month are no whole number of anything.
  return isWhole && step > 1 && field?.name !== 'day of the month' ? `*/${step}` : values.join(',')
}

/** The values of a field, or why it has none. */
function readField(text: string, { name, lowest, highest }: CronField): Set<number> | string {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (match === null) return `${JSON.stringify(part)} cannot be read as a ${name}`
    const [, from, to, step] = match
    const first = from === undefined ? lowest : Number(from)
    const single = step === undefined ? first : highest
    const last = from === undefined ? highest : to === undefined ? single : Number(to)
    const distance = step === undefined ? 1 : Number(step)
    if (distance === 0) return `the step of ${JSON.stringify(part)} is zero`
    if (first > last && to !== undefined) return `${JSON.stringify(part)} runs backwards`
    if (first < lowest || first > highest || last > highest)
      return `a ${name} is ${lowest} to ${highest}, and not ${JSON.stringify(part)}`
    for (let value = first; value <= last; value += distance) values.add(value)
  }
  return values
}
