import { type Principal, describeNameProblem } from '@toolcrib/registry'
import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent, PolicyBlockFacts } from '../lifecycle/lifecycle-event.ts'
import { showValue } from '../review/show-value.ts'
import { stripHidden } from '../validation/suspicious-text.ts'

/** The longest texts that are recorded, in characters; what is longer is cut. */
const maxReasonLength = 2_000
const maxTriedLength = 500
const maxWordLength = 200

/** A tool tried something that its policy forbids. */
export interface PolicyBlock {
  /** The tool that tried, made or not. */
  readonly toolName: string
  /** What was refused and why, for people. Cut after 2,000 characters. */
  readonly reason: string
  /** The rule that was broken, such as `fs.path`. */
  readonly rule?: string
  /** What was tried, such as `read "/etc/passwd"`. Cut after 500 characters. */
  readonly tried?: string
  /** Who called the tool. */
  readonly principal?: Principal
  /** The call in which it happened. */
  readonly callId?: string
  /** How many such violations the event stands for. @default 1 */
  readonly count?: number
}

/**
 * Makes the event of a violation: about the version that ran where the tool was made here, else about the namespace.
 *
 * @throws {ToolError} REQUEST_INVALID when a field is missing or of the wrong kind.
 */
export function policyBlockEvent(engine: LifecycleEngine, block: PolicyBlock): LifecycleEvent {
  const { toolName, ...facts } = readPolicyBlock(block)
  const frame = { ...engine.stamp(engine.host), type: 'tool_policy_blocked' as const }
  const version = versionThatRan(engine, toolName)
  return version === undefined
    ? { ...frame, name: toolName, ...facts }
    : { ...frame, name: toolName, version, ...facts }
}

/** The version of a made tool that a call of now has reached; `undefined` for every other tool. */
function versionThatRan(engine: LifecycleEngine, toolName: string): number | undefined {
  const registered = engine.registry.get(toolName)
  if (registered !== undefined)
    return registered.source?.type === 'made' &&
      engine.state.get(toolName, registered.source.version) !== undefined
      ? registered.source.version
      : undefined
  // It was taken out of use while the call ran.
  const tool = engine.state.tools.get(toolName)
  return tool?.active ?? tool?.used.at(-1)
}

type Facts = PolicyBlockFacts & { readonly toolName: string; readonly reason: string }

function readPolicyBlock(block: PolicyBlock): Facts {
  const { callId, count = 1, principal, reason, rule, toolName, tried } = block
  const nameProblem = describeNameProblem(toolName)
  if (nameProblem !== undefined) throw invalid('toolName', nameProblem)
  if (!Number.isSafeInteger(count) || count < 1)
    throw invalid('count', `must be a whole number of at least 1, got ${showValue(count)}`)
  const why = readText('reason', reason, maxReasonLength)
  if (why === '') throw invalid('reason', 'must say what was refused, got nothing that can be seen')
  return {
    toolName,
    reason: why,
    count,
    ...(rule === undefined ? {} : { rule: readText('rule', rule, maxWordLength) }),
    ...(tried === undefined ? {} : { tried: readText('tried', tried, maxTriedLength) }),
    ...(principal === undefined ? {} : { principal: readPrincipal(principal) }),
    ...(callId === undefined ? {} : { callId: readText('callId', callId, maxWordLength) }),
  }
}

function readPrincipal({ id, kind }: Principal): NonNullable<PolicyBlockFacts['principal']> {
  return {
    kind: readText('principal.kind', kind, maxWordLength),
    id: readText('principal.id', id, maxWordLength),
  }
}

/** One line without hidden characters: it may come from a model, and goes on record for people. */
function readText(field: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw invalid(field, `must be text, got ${showValue(value)}`)
  const line = stripHidden(value.toWellFormed()).replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

function invalid(field: string, problem: string): Error {
  return toolsmakerError(
    'REQUEST_INVALID',
    `The policy block cannot be recorded: ${field} ${problem}.`,
    { data: { field } },
  )
}
