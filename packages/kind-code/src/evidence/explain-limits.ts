import { isAbsolute, relative, resolve } from 'node:path'
import {
  type FilePolicy,
  type PolicyViolationData,
  type ToolPolicy,
  ToolPolicyViolation,
  matchesAnyOrigin,
  parseOriginPattern,
} from '@toolcrib/policy'
import type { HostOperation, HostOperations } from '@toolcrib/sandbox'

/** What together says what a call may touch. */
export interface PowerLimits {
  /** What the tool declares. */
  readonly own: ToolPolicy
  /** What the operator allows. */
  readonly operator: ToolPolicy
  /** What is left of both, and of what led to the call. */
  readonly granted: ToolPolicy
  /** What relative paths start from. */
  readonly workspace: string
}

/** Whether one of the limits has what was tried. */
interface Place {
  /** The argument with which a tool asks for it. */
  readonly argument: 'allowedDomains' | 'allowedPaths'
  /** The field of the operator's policy. */
  readonly field: 'fs_read.paths' | 'fs_write.paths' | 'http.origins'
  isIn(policy: ToolPolicy): boolean
}

/** The guards see one policy that is made of several; here each refusal is told which of them is in the way, and what to do. */
export function explainLimits(operations: HostOperations, limits: PowerLimits): HostOperations {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]): [string, HostOperation] => [
      name,
      async (argument, options) => {
        try {
          return await operation(argument, options)
        } catch (error) {
          throw ToolPolicyViolation.isViolation(error)
            ? explain(error, { limits, wanted: readWanted(argument) })
            : error
        }
      },
    ]),
  )
}

/** How guards begin that do not know what their policy is made of. */
const general = /^Ask (?:the operator to add|for fs_)/

function explain(
  violation: ToolPolicyViolation,
  { limits, wanted }: { readonly limits: PowerLimits; readonly wanted: Wanted },
): ToolPolicyViolation {
  const { howToAsk, rule, tried } = violation.data
  const place = general.test(howToAsk) ? findPlace(violation.data, { limits, wanted }) : undefined
  // What all of them allow is refused for another reason.
  if (place === undefined || place.isIn(limits.granted)) return violation
  return new ToolPolicyViolation({ rule, tried, howToAsk: advise(place, limits), cause: violation })
}

function advise(place: Place, { operator, own }: PowerLimits): string {
  const { argument, field } = place
  const isAllowed = place.isIn(operator)
  if (!place.isIn(own))
    return `This tool did not ask for it: propose a new version that names it in ${argument}.${isAllowed ? '' : ` The operator's policy for code tools does not have it either: ask the operator to add it to ${field} first.`}`
  return isAllowed
    ? `This tool may use it, but one that led to this call may not: propose a new version of that one which names it in ${argument}.`
    : `This tool names it in ${argument}, but the operator's policy for code tools does not allow it: ask the operator to add it to ${field}.`
}

/** What was asked for, as a guest gave it. */
interface Wanted {
  readonly path: unknown
  readonly url: unknown
}

function readWanted(argument: unknown): Wanted {
  const { path, url } = (argument ?? {}) as Partial<Wanted>
  return { path, url }
}

function findPlace(
  { howToAsk, rule, tried }: PolicyViolationData,
  { limits, wanted }: { readonly limits: PowerLimits; readonly wanted: Wanted },
): Place | undefined {
  if (rule === 'http.domain' || rule === 'http.origin') {
    // A redirect may have led elsewhere than where the request began.
    const [, shown = wanted.url] = /"(https?:\/\/[^"\\]+)"/.exec(tried) ?? []
    const url = typeof shown === 'string' ? URL.parse(shown) : null
    return url === null ? undefined : placeOfUrl(url)
  }
  if (rule !== 'fs.path' || typeof wanted.path !== 'string') return undefined
  const { workspace } = limits
  const capability = howToAsk.startsWith('Ask for fs_write') ? 'fs_write' : 'fs_read'
  const path = resolve(workspace, wanted.path)
  return {
    argument: 'allowedPaths',
    field: `${capability}.paths`,
    isIn: (policy) => holds(policy[capability], { path, workspace }),
  }
}

function placeOfUrl(url: URL): Place {
  return {
    argument: 'allowedDomains',
    field: 'http.origins',
    isIn: ({ http }) =>
      matchesAnyOrigin(http?.origins.map((text) => parseOriginPattern(text)) ?? [], url) ===
      'match',
  }
}

function holds(
  files: FilePolicy | undefined,
  { path, workspace }: { readonly path: string; readonly workspace: string },
): boolean {
  return (files?.paths ?? []).some((named) => {
    const steps = relative(resolve(workspace, named), path)
    return steps === '' || (!/^\.\.(?:[\\/]|$)/.test(steps) && !isAbsolute(steps))
  })
}
