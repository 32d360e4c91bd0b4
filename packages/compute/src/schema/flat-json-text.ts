import { quoteText } from '../text/quote-text.ts'
import { describeType } from '../values/json-value.ts'
import type { FlatIssues, FlatOrigin } from './flat-issues.ts'

/** The value that a JSON text stands for; notes what is wrong with it and gives `undefined`. */
export function readJsonText(text: unknown, origin: FlatOrigin, issues: FlatIssues): unknown {
  const hint = String.raw`Write JSON, a string with its quotes: "\"abc\"", a number as "5".`
  if (typeof text !== 'string') {
    issues.refuse(origin, `must be JSON text, got ${describeType(text)}`, hint)
    return undefined
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    issues.refuse(origin, `${quoteText(text)} is no JSON text`, hint)
    return undefined
  }
}
