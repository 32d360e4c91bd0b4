import { z } from 'zod'
import { expression, literal } from './expression.ts'
import { given, now, type Step } from './tool-workflow.ts'

/** How long a period may be, in hours. */
export const periodHours: { readonly min: number; readonly max: number } = { min: 1, max: 744 }

export const periodField: z.ZodType<number> = z
  .int()
  .min(periodHours.min)
  .max(periodHours.max)
  .describe('How many hours up to the run it covers.')

/** A step that says which time is covered: `from` and `to`, and the `date` of its start in the time zone. */
export function period(customizations: {
  readonly periodHours: number
  readonly timeZone: string
}): Step {
  const hours = `(${given}.periodHours ?? ${customizations.periodHours})`
  return {
    kind: 'json',
    name: 'Period',
    code: `((from, to) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), date: DateTime.fromMillis(from, { zone: ${literal(customizations.timeZone)} }).toFormat("yyyy-MM-dd") }))(${now} - ${hours} * 3600000, ${now})`,
  }
}

/** Asks for what happened in that time. */
export const periodQuery: Readonly<Record<string, string>> = {
  from: expression('$("Period").first().json.from'),
  to: expression('$("Period").first().json.to'),
}
