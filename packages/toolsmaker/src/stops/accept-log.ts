import { assertCurrent } from '../approvals/decide.ts'
import { readDecision, sealDecision } from '../approvals/decision-schema.ts'
import type { AcceptLogStatement } from '../approvals/decision-statement.ts'
import { prepareStatement } from '../approvals/prepare-statement.ts'
import { refusedDecision, staleDecision } from '../approvals/refused-decision.ts'
import { signDecision } from '../approvals/sign-decision.ts'
import { assertKnownFormat } from '../lifecycle/log-format.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { sameJson } from './same-json.ts'
import type { DecisionSource } from '../toolsmaker.ts'

/**
 * Takes the event log that is there for the right one, by a person's signature over the head that is known and the head that was
 * found. What was stopped in the log that is known stays stopped.
 *
 * @throws {ToolError} TRANSITION_REFUSED when the log is the one that is known.
 * @throws {ToolError} STORE_INVALID when a newer release wrote it.
 * @throws {ToolError} DECISION_INVALID or DECISION_STALE when the decision is another one.
 */
export async function acceptLog(engine: LifecycleEngine, source: DecisionSource): Promise<void> {
  await engine.trust.refresh()
  assertKnownFormat(engine.state.format, engine.namespace)
  const wanted = (await prepareStatement(engine, {
    action: 'accept_log',
    approver: source.signer?.approverId ?? readDecision(source.decision).statement.approver,
  })) as AcceptLogStatement
  const decision = readDecision(source.decision ?? (await signDecision(wanted, source.signer)))
  const { statement } = decision
  if (
    statement.action !== 'accept_log' ||
    statement.store !== engine.identity ||
    statement.namespace !== engine.namespace
  )
    throw refusedDecision('DECISION_INVALID', 'it does not accept the event log of this host')
  const { found, known } = wanted
  if (!sameJson(statement.found, found) || !sameJson(statement.known, known))
    throw staleDecision('the event log has changed since it was prepared')
  await assertCurrent(engine, decision, wanted.basis)
  const actor = { kind: 'person', id: statement.approver } as const
  await engine.record([
    { ...engine.stamp(actor), type: 'log_accepted', decision: sealDecision(decision) },
  ])
  await engine.verified.accept(engine.state, engine.stops)
  await engine.upgrade({ isAccepted: true })
}
