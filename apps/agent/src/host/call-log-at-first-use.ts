import type { CallLog, Invoker } from '@toolcrib/registry'

/** A call log that may not be open yet. */
export interface CallLogAtFirstUse {
  readonly log: CallLog
  /** An invoker whose calls wait for the log to open, which is not part of the time in which a start row has to be durable. */
  waitingFor(invoker: Invoker): Invoker
}

/**
 * A call log that is opened by its first reader or writer. Most commands of a host that lives for one command neither call
 * a tool nor read the log, and opening the embedded database takes most of their time. An opening that failed is tried
 * again at the next use; a start row still comes before its tool, or the tool does not run.
 */
export function callLogAtFirstUse(open: () => Promise<CallLog>): CallLogAtFirstUse {
  let opening: Promise<CallLog> | undefined
  let isClosed = false
  const opened = async (): Promise<CallLog> => {
    // Whoever comes after closing gets the refusal of a closed log, not a database that nobody closes.
    if (isClosed && opening === undefined) throw new Error('The call log is closed.')
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  const log: CallLog = {
    logToolStart: async (call) => (await opened()).logToolStart(call),
    logToolComplete: async (end) => (await opened()).logToolComplete(end),
    logToolFailure: async (end) => (await opened()).logToolFailure(end),
    logToolLate: async (late) => (await opened()).logToolLate(late),
    query: async (query) => (await opened()).query(query),
    get: async (callId, options) => (await opened()).get(callId, options),
    readOutput: async (callId, options) => (await opened()).readOutput(callId, options),
    statistics: async (query) => (await opened()).statistics(query),
    close: async () => {
      isClosed = true
      await (await opening?.catch(() => undefined))?.close()
    },
  }
  return {
    log,
    waitingFor: (invoker) => ({
      ...invoker,
      invoke: async (toolName, input, options) => {
        // What kept it from opening is the answer of the call, which tries once more.
        await opened().catch(() => undefined)
        return invoker.invoke(toolName, input, options)
      },
    }),
  }
}
