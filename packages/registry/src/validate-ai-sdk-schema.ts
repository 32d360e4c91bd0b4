import type { AiSdkSchema, AiSdkVerdict } from './ai-sdk-schema.ts'
import { type SchemaOutcome, formatPath, maxIssues, maxMessageLength } from './schema-issue.ts'

type Check = NonNullable<AiSdkSchema['validate']>

/** Checks a value with the function that a schema of the AI SDK brings. */
export function validateWithAiSdk(
  check: Check,
  value: unknown,
): SchemaOutcome | Promise<SchemaOutcome> {
  const verdict = check(value)
  return 'then' in verdict ? awaitVerdict(verdict) : toOutcome(verdict)
}

async function awaitVerdict(verdict: PromiseLike<AiSdkVerdict>): Promise<SchemaOutcome> {
  return toOutcome(await verdict)
}

function toOutcome(verdict: AiSdkVerdict): SchemaOutcome {
  if (verdict.success) return { valid: true, value: verdict.value }
  const { error } = verdict
  const issues = findIssues(error) ?? findIssues(read(error, 'cause'))
  const message = read(error, 'message')
  return {
    valid: false,
    issues: issues ?? [
      {
        path: '',
        message: (typeof message === 'string' ? message : 'is not valid').slice(
          0,
          maxMessageLength,
        ),
      },
    ],
  }
}

/** Libraries hand out what is wrong as `issues`, with a path and a message each. */
function findIssues(error: unknown): { path: string; message: string }[] | undefined {
  const issues = read(error, 'issues')
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  return issues.slice(0, maxIssues).map((issue: unknown) => {
    const path = read(issue, 'path')
    return {
      path: Array.isArray(path) ? formatPath(path as PropertyKey[]) : '',
      message: String(read(issue, 'message')).slice(0, maxMessageLength),
    }
  })
}

function read(target: unknown, key: string): unknown {
  return typeof target === 'object' && target !== null ? Reflect.get(target, key) : undefined
}
