import { type PolicyRule, ToolPolicyViolation, policyRules } from '@toolcrib/policy'
import { type JsonValue, ToolError } from '@toolcrib/registry'
import type { HostOperation, HostOperationOptions, HostOperations } from '@toolcrib/sandbox'

/**
 * How many refusals a call may have before everything else that it asks for is refused unseen. Those that are under way by then
 * come on top, 32 at most, and all of them fit what an invoker reports of one call.
 */
const mostRefusals = 50

/**
 * The violations of one call, as the operations threw them. Also those of operations that a guest began and did not wait for:
 * trying is what counts, not whether somebody looked at the answer.
 */
export class ViolationRecord {
  readonly #reportLate: (violation: ToolError) => void
  readonly #violations: ToolError[] = []
  readonly #running = new Set<Promise<unknown>>()
  /** What is thrown for everything, once there were too many: what matters must not hide behind what does not. */
  #final: ToolError | undefined
  #isTaken = false

  /** @param reportLate is told of violations after {@link take} */
  constructor(reportLate: (violation: ToolError) => void) {
    this.#reportLate = reportLate
  }

  /** The same operations, with an eye on what they throw. */
  watch(operations: HostOperations): HostOperations {
    return Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, this.#watch(operation)]),
    )
  }

  /** Waits until no operation runs. Those of a call that is over were told to stop; none may go on when its end is told. */
  async settle(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one that ends late may have begun late
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** What was tried so far, in order. After 50 refusals one more says that nothing else was looked at. */
  take(): readonly ToolError[] {
    this.#isTaken = true
    return this.#violations
  }

  #watch(operation: HostOperation): HostOperation {
    return async (argument, options) => {
      this.#refuseMore()
      const work = run(operation, argument, options)
      this.#running.add(work)
      try {
        return await work
      } catch (error) {
        if (ToolError.is(error, 'POLICY_VIOLATION')) this.#keep(error)
        throw error
      } finally {
        this.#running.delete(work)
      }
    }
  }

  #refuseMore(): void {
    if (this.#violations.length < mostRefusals) return
    if (this.#final === undefined) {
      this.#final = new ToolPolicyViolation({
        rule: ruleOf(this.#violations.at(-1)),
        tried: `go on after ${mostRefusals} refusals in one call`,
        howToAsk: 'Nothing more of this call was looked at. See what was refused first.',
      })
      this.#keep(this.#final)
    }
    throw this.#final
  }

  #keep(violation: ToolError): void {
    if (this.#isTaken) this.#reportLate(violation)
    else this.#violations.push(violation)
  }
}

// Also what an operation throws at once comes as a promise.
async function run(
  operation: HostOperation,
  argument: JsonValue,
  options: HostOperationOptions,
): Promise<JsonValue> {
  return operation(argument, options)
}

/** The rule of a violation; a tool that was called may have hidden which one it was. */
function ruleOf(violation: ToolError | undefined): PolicyRule {
  const rule = violation?.data['rule']
  return typeof rule === 'string' && Object.hasOwn(policyRules, rule)
    ? (rule as PolicyRule)
    : 'tools.callee'
}
