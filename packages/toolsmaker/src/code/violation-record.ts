import { ToolError } from '@toolcrib/registry'
import type { HostOperation, HostOperations } from '@toolcrib/sandbox'

const maxKept = 100

/**
 * The violations of one call, as the operations threw them. Also those of operations that a guest began and did not wait for:
 * trying is what counts, not whether somebody looked at the answer.
 */
export class ViolationRecord {
  readonly #reportLate: (violation: ToolError) => void
  readonly #violations: ToolError[] = []
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

  /** What was tried so far, in order; the first 100. */
  take(): readonly ToolError[] {
    this.#isTaken = true
    return this.#violations
  }

  #watch(operation: HostOperation): HostOperation {
    return async (argument, options) => {
      try {
        return await operation(argument, options)
      } catch (error) {
        if (ToolError.is(error, 'POLICY_VIOLATION')) this.#keep(error)
        throw error
      }
    }
  }

  #keep(violation: ToolError): void {
    if (this.#isTaken) this.#reportLate(violation)
    else if (this.#violations.length < maxKept) this.#violations.push(violation)
  }
}
