import { type ToolPolicy, ToolPolicyViolation, readToolPolicy } from '@toolcrib/policy'
import type { ToolContext } from '@toolcrib/registry'

/**
 * What the made tools that led to a call may touch; `undefined` where none did.
 *
 * @throws {ToolError} POLICY_INVALID when it is no policy: then nothing is allowed.
 */
export function readCallerPolicy(context: ToolContext | undefined): ToolPolicy | undefined {
  return context?.callerPolicy === undefined ? undefined : readToolPolicy(context.callerPolicy)
}

/**
 * Refuses a call that came through made tools unless all of them name this tool among those that they call. For tools whose
 * powers no word of a policy covers.
 *
 * @throws {ToolPolicyViolation} tools.callee
 */
export function assertNamedByCallers(context: ToolContext | undefined): void {
  const policy = readCallerPolicy(context)
  if (context === undefined || policy === undefined) return
  const { toolName } = context
  // A hash would mean a made tool of that name.
  const isNamed = policy.tools?.callees.some(({ name, hash }) => name === toolName && hash === null)
  if (isNamed === true) return
  const callers = describeCallers(context)
  throw new ToolPolicyViolation({
    rule: 'tools.callee',
    tried: `call ${toolName} for ${callers}`,
    howToAsk: `Every made tool on the way must name ${toolName} among its callees. A person can approve versions of ${callers} that do.`,
  })
}

/** Rules that can be broken because a caller has less than the tool itself. */
const callerRules: ReadonlySet<string> = new Set([
  'fs.path',
  'fs.size',
  'http.address',
  'http.domain',
  'http.method',
  'http.origin',
  'http.redirect',
  'http.size',
  'secret.unknown',
])

/** An error, which says for whom it was tried where it is a violation. */
export function explainForCallers(error: unknown, context: ToolContext): unknown {
  if (!ToolPolicyViolation.isViolation(error)) return error
  const { rule, tried, howToAsk } = error.data
  const callers = describeCallers(context)
  return new ToolPolicyViolation({
    rule,
    tried: `${tried} for ${callers}`,
    howToAsk: callerRules.has(rule)
      ? `${context.toolName} was called through ${callers}, so it may do only what all of them may. A person can approve a version of ${callers} that asks for this.`
      : howToAsk,
    cause: error,
  })
}

function describeCallers({ callerNames = [] }: ToolContext): string {
  return callerNames.length === 0 ? 'a made tool' : callerNames.join(' → ')
}
