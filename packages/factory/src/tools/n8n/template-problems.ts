import type { JsonValue, ToolError } from '@toolcrib/registry'
import { isJsonObject } from '@toolcrib/kind-compute'

function textOf(problem: JsonValue): string {
  if (!isJsonObject(problem)) return typeof problem === 'string' ? problem : JSON.stringify(problem)
  const { fix, hint = fix, message, path } = problem
  return [
    ...(typeof path === 'string' && path !== '' ? [`${path}:`] : []),
    ...(typeof message === 'string' ? [message] : []),
    ...(typeof hint === 'string' ? [hint] : []),
  ].join(' ')
}

/** What is wrong with customizations, one by one, from the error that says so. */
export function problemsOf({ data, message }: ToolError<string>): readonly string[] {
  const { problems } = data
  return Array.isArray(problems) && problems.length > 0
    ? (problems as readonly JsonValue[]).slice(0, 30).map((problem) => textOf(problem))
    : [message]
}
