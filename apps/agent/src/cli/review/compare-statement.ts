import { type DecisionStatement, decisionType } from '@toolcrib/toolsmaker'

/** What a statement has to say for a person to sign it: the fields as they were asked for and shown. */
export type ExpectedStatement = Readonly<Record<string, unknown>> & {
  /** How long the policy lets what is granted hold, in milliseconds; `null`: for ever. */
  readonly lastsMs: number | null
}

const clockSkewMs = 5 * 60 * 1_000
/** Issue and end are written one after the other. */
const writingMs = 5_000

/**
 * Tells in what a statement is another one than was asked for and shown, to go on in a sentence; `undefined` when it is the very one.
 * The host that prepared it is believed nothing.
 */
export function describeStatementProblem(
  statement: DecisionStatement,
  { lastsMs, ...expected }: ExpectedStatement,
  now: number = Date.now(),
): string | undefined {
  const parsed = decisionType.schema.safeParse(statement)
  if (!parsed.success) return `it is no statement: ${parsed.error.issues[0]?.message ?? ''}`
  const { issuedAt, expiresAt, ...fields } = parsed.data as unknown as Record<string, unknown>
  for (const field of new Set([...Object.keys(expected), ...Object.keys(fields)]))
    if (canonical(fields[field]) !== canonical(expected[field]))
      return `its ${field} is ${show(fields[field])}, asked for and shown was ${show(expected[field])}`
  if (Math.abs(Number(issuedAt) - now) > clockSkewMs) return 'it is not of this moment'
  const end = lastsMs === null ? null : Number(issuedAt) + lastsMs
  const isAsked =
    end === null || expiresAt === null
      ? end === expiresAt
      : Math.abs(Number(expiresAt) - end) <= writingMs
  return isAsked ? undefined : `it ends at ${show(expiresAt)}, by the policy it is ${show(end)}`
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing'
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify(entries)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100)
}
