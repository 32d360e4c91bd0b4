import type { JsonObject, Principal } from '@toolcrib/registry'
import type { CallFacts } from './call-facts.ts'
import { type CallProblem, cleanProblem } from './call-problem.ts'
import type { InvokerSettings } from '../invoker-settings.ts'
import { type ErrorDescription, describeError } from './values/describe-error.ts'

/** A tool tried something that its policy forbids. Secrets are taken out of it. */
export interface PolicyViolationReport {
  readonly toolName: string
  readonly callId: string
  /** On whose behalf the tool ran. */
  readonly principal: Principal
  /** The names of the tools through which the call came, outermost first; empty where no tool made the call. */
  readonly callers: readonly string[]
  /** The violation's own message. */
  readonly message: string
  /** The violation's own data, such as `rule` and `tried`. */
  readonly data?: JsonObject
}

/** How many violations that a tool hands in are reported; the one that ends its call always is. */
const maxReports = 100

/** Reports what one call tried, each violation once. Nothing here throws. */
export class PolicyViolations {
  readonly #facts: CallFacts
  readonly #reported = new Set<unknown>()

  readonly #onPolicyViolation: NonNullable<InvokerSettings['onPolicyViolation']>

  constructor(
    facts: CallFacts,
    onPolicyViolation: NonNullable<InvokerSettings['onPolicyViolation']>,
  ) {
    this.#facts = facts
    this.#onPolicyViolation = onPolicyViolation
  }

  /** Reports an error that the tool handed in; one that is no violation, or was reported, is ignored. */
  reportCaught(error: unknown): void {
    if (this.#reported.size < maxReports) this.reportThrown(error, describeError(error))
  }

  /** The same of the error that the tool threw in the end. */
  reportThrown(error: unknown, { code, data, message }: ErrorDescription): void {
    if (code !== 'POLICY_VIOLATION' || this.#reported.has(error)) return
    this.#reported.add(error)
    this.#report({ code, message, ...(data !== undefined && { data }) })
  }

  /** Reports why the call does not run, if that is a violation. */
  reportProblem(problem: CallProblem): void {
    if (problem.code === 'POLICY_VIOLATION') this.#report(problem)
  }

  #report(problem: CallProblem): void {
    const { callers, callId, principal, settings, toolName } = this.#facts
    const complain = (error: unknown): void =>
      this.#facts.complain('A policy violation could not be passed on', error)
    try {
      const { data, message } = cleanProblem(problem, settings)
      const report: PolicyViolationReport = {
        toolName,
        callId,
        principal,
        callers: callers.map(({ name }) => name),
        message,
        ...(data !== undefined && Object.keys(data).length > 0 && { data }),
      }
      // The receiver may be asynchronous, although nobody waits for it.
      Promise.resolve(this.#onPolicyViolation(report) as unknown).catch(complain)
    } catch (error) {
      complain(error)
    }
  }
}

/** What reports the violations of a call; `undefined` where nobody wants to know. */
export function openViolations(facts: CallFacts): PolicyViolations | undefined {
  const { onPolicyViolation } = facts.settings
  return onPolicyViolation === undefined
    ? undefined
    : new PolicyViolations(facts, onPolicyViolation)
}
