import type { PolicyViolationReport } from '@toolcrib/invoke'
import type { Logger } from '@toolcrib/registry'
import type { PolicyBlock } from '@toolcrib/toolsmaker'

/** The longest name of a rule, in characters. */
const maxRuleLength = 200

/** A violation as the record takes it. */
export function toPolicyBlock(violation: PolicyViolationReport): PolicyBlock {
  const { toolName, principal, callId, message, data = {} } = violation
  const { rule, tried } = data
  return {
    toolName,
    principal,
    callId,
    reason: message,
    // Tools that are not ours may say anything there.
    ...(typeof rule === 'string' && { rule: rule.slice(0, maxRuleLength) }),
    ...(typeof tried === 'string' && { tried }),
  }
}

/** How violations are written to the record. */
export interface PolicyAuditOptions {
  /** Writes one event; may fail. */
  readonly record: (block: PolicyBlock) => Promise<void>
  readonly logger: Logger
  /** For how long repeats are counted before they are written as one event, in milliseconds. @default 60_000 */
  readonly windowMs?: number
  /** How many different violations are told apart at once; more are counted by tool alone. @default 1_000 */
  readonly maxKinds?: number
  /** How many different attempts of one kind are written one by one within the time of a count. @default 20 */
  readonly maxAttempts?: number
}

/** Violations of one kind that came after one that was written. */
interface Repeats {
  count: number
  /** What was tried and is written. */
  readonly attempts: Set<string>
  last: PolicyBlock
  timer: NodeJS.Timeout
}

/**
 * Writes violations to the record of the lifecycle without letting a flood of them through. Of one tool, principal and rule,
 * different attempts are written at once, up to a number; repeats and further ones become one event with their count when a
 * minute is over or the host shuts down. Never throws: a record
 * that cannot be written must not harm the call.
 */
export class PolicyAudit {
  readonly #options: Required<PolicyAuditOptions>
  readonly #kinds = new Map<string, Repeats>()
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({
    windowMs = 60_000,
    maxKinds = 1_000,
    maxAttempts = 20,
    ...options
  }: PolicyAuditOptions) {
    this.#options = { windowMs, maxKinds, maxAttempts, ...options }
  }

  /** Takes note of a violation; returns at once. */
  report(block: PolicyBlock): void {
    if (this.#isClosed) {
      this.#write(block)
      return
    }
    const { toolName, rule, principal } = block
    const kind = JSON.stringify([toolName, rule, principal?.kind, principal?.id])
    if (this.#kinds.has(kind) || this.#kinds.size < this.#options.maxKinds) {
      this.#count(kind, block)
      return
    }
    // Too many to tell apart. One kind for each tool, and beyond twice the limit one for all.
    const byTool = JSON.stringify([toolName])
    const hasRoom = this.#kinds.has(byTool) || this.#kinds.size < 2 * this.#options.maxKinds
    const whose = hasRoom ? 'of this tool' : 'of several tools'
    const reason = `More violations ${whose} than are told apart; the last: ${block.reason}`
    this.#count(hasRoom ? byTool : 'rest', { toolName, reason })
  }

  /** Writes what was counted and waits until everything is written. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#kinds.values()) clearTimeout(timer)
    for (const { count, last } of this.#kinds.values()) if (count > 0) this.#write(last, count)
    this.#kinds.clear()
    await this.#writing
  }

  #count(kind: string, block: PolicyBlock): void {
    const { tried = '' } = block
    const known = this.#kinds.get(kind)
    if (known === undefined) {
      const attempts = new Set([tried])
      this.#kinds.set(kind, { count: 0, attempts, last: block, timer: this.#startWindow(kind) })
    } else if (known.attempts.has(tried) || known.attempts.size >= this.#options.maxAttempts) {
      known.count += 1
      known.last = block
      return
    } else known.attempts.add(tried)
    this.#write(block)
  }

  #startWindow(kind: string): NodeJS.Timeout {
    return setTimeout(() => this.#endWindow(kind), this.#options.windowMs).unref()
  }

  #endWindow(kind: string): void {
    const known = this.#kinds.get(kind)
    if (known === undefined) return
    const { count, last } = known
    if (count === 0) {
      this.#kinds.delete(kind)
      return
    }
    // It goes on: the next minute is counted too, without an event at its beginning.
    known.count = 0
    known.attempts.clear()
    known.attempts.add(last.tried ?? '')
    known.timer = this.#startWindow(kind)
    this.#write(last, count)
  }

  #write(block: PolicyBlock, count?: number): void {
    const event = count === undefined ? block : { ...block, count }
    this.#writing = this.#writeAfter(this.#writing, event)
  }

  /** One after the other, so that the record has them in their order and a slow disk is not flooded. */
  async #writeAfter(earlier: Promise<void>, event: PolicyBlock): Promise<void> {
    const { record, logger } = this.#options
    await earlier
    try {
      await record(event)
    } catch (error) {
      const { toolName, rule, count } = event
      logger.error({ error, toolName, rule, count }, 'A policy violation could not be recorded')
    }
  }
}
