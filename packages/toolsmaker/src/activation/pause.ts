import { assertCurrent } from '../approvals/decide.ts'
import { describeSignatureProblem } from '../approvals/decision-check.ts'
import { readDecision, sealDecision } from '../approvals/decision-schema.ts'
import { logNotAccepted, prepareStatement } from '../approvals/prepare-statement.ts'
import { staleDecision } from '../approvals/refused-decision.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { holdChanged } from './hold-changed.ts'
import { hostApproverId } from '../trust/host-key.ts'
import type { Removal } from './remove-power.ts'
import { listCallable, settleKinds } from './settle-kinds.ts'
import { signDecision } from '../approvals/sign-decision.ts'
import type { Pause, Resumption } from '../lifecycle/lifecycle-state.ts'
import type { Stop } from '../stops/stop-list.ts'
import { stopUnrecorded } from '../stops/stop-unrecorded.ts'
import type { DecisionSource, PauseInForce } from '../toolsmaker.ts'
import { makeVisible } from '../validation/suspicious-text.ts'

/**
 * Records a pause that is in force already, and has what runs outside by itself taken down. A second one is recorded as well, so that
 * what a person signs to end the first does not end it; and it takes down what the first could not.
 */
export async function recordPause(
  engine: LifecycleEngine,
  { actor, reason }: Removal,
): Promise<void> {
  const event = { ...engine.stamp(actor), type: 'tools_paused', reason } as const
  const before = engine.state.pause
  try {
    await engine.record([event])
  } catch (error) {
    if (engine.state.pause !== before) throw error
    const { sequence } = engine.state
    engine.state.pause = { since: event.at, reason, by: actor, sequence }
    throw await stopUnrecorded(engine, error, { event })
  } finally {
    // In force all the same, whether it could be recorded or not.
    startAnew(engine)
    await settleKinds(engine, [])
  }
}

/**
 * What was found intact, or is being looked at, says nothing about what is put up or taken down from now on. What was found
 * changed stays found.
 */
function startAnew(engine: LifecycleEngine): void {
  for (const { record } of listCallable(engine)) {
    const change = engine.inspections.changeOf(record)
    if (change === undefined) engine.inspections.forget(record)
    // Recorded by a command of its own, after this one; out of use from now on.
    else void holdChanged(engine, record, change)
  }
}

/** Ends a pause by a person's signature, and has put up outside what was approved. */
export async function resume(
  engine: LifecycleEngine,
  source: DecisionSource,
  pauses: number,
): Promise<void> {
  await engine.trust.refresh()
  if (engine.verified.problem !== undefined) throw logNotAccepted(engine)
  const { pause } = engine.state
  if (pause === undefined)
    throw toolsmakerError('TRANSITION_REFUSED', 'The made tools are not paused.')
  const signed =
    source.decision ??
    (await signDecision(
      await prepareStatement(engine, { action: 'resume', approver: source.signer.approverId }),
      source.signer,
    ))
  const decision = readDecision(signed)
  const { statement } = decision
  const { identity, namespace } = engine
  const isHere = statement.store === identity && statement.namespace === namespace
  if (statement.action !== 'resume' || !isHere)
    throw toolsmakerError(
      'DECISION_INVALID',
      `The decision is refused: it is not for ending the pause of namespace ${namespace} of this host.`,
    )
  if (statement.lifts !== engine.stops.pause?.eventHash)
    throw staleDecision('it is for another pause')
  await assertCurrent(engine, decision, pause.sequence)
  const confirmation = await signDecision(
    { ...statement, approver: hostApproverId },
    engine.trust.hostSigner(),
  )
  const actor = { kind: 'person', id: statement.approver } as const
  await engine.record([
    {
      ...engine.stamp(actor),
      type: 'tools_resumed',
      decision: sealDecision(decision),
      confirmation,
    },
  ])
  // Another one that was asked for meanwhile is recorded next, and takes it all down again.
  if (engine.callables.pauses === pauses) {
    startAnew(engine)
    await settleKinds(engine, listCallable(engine))
  }
  engine.callables.unpause(pauses)
}

/**
 * Puts the pause into force that the log has, or that it has lost; a pause whose end nobody signed is in force still. A log that is
 * not the one that the host knows starts paused.
 */
export async function restorePause(engine: LifecycleEngine): Promise<void> {
  const { known } = engine.verified
  const carried = known?.pause ?? undefined
  // What the checkpoint covers was looked at before it was written.
  const fresh = engine.state.resumptions.filter(({ sequence }) => sequence > (known?.sequence ?? 0))
  let isCarriedOver = carried === undefined
  let unended: Pause | undefined
  for (const resumption of fresh) {
    // oxlint-disable-next-line no-await-in-loop -- the first one that nobody signed is the one that counts
    const isSigned = await isConfirmed(engine, resumption, carried)
    if (isSigned && resumption.pauses.some(({ sequence }) => sequence === carried?.sequence))
      isCarriedOver = true
    if (isSigned) continue
    unended ??= resumption.pauses.at(-1)
    engine.logger.error(
      { sequence: resumption.sequence },
      'The log ends a pause without a valid signature, so the custom tools stay paused',
    )
  }
  engine.state.pause = unended ?? engine.state.pause
  await engine.restoreStops({ pause: isCarriedOver ? null : (carried ?? null) })
  const inForce = describePause(engine)
  if (inForce !== undefined) engine.callables.pause(inForce.reason)
}

async function isConfirmed(
  { identity, namespace, store, trust }: LifecycleEngine,
  { confirmation, pauses }: Resumption,
  carried: Stop | undefined,
): Promise<boolean> {
  if (confirmation === undefined) return false
  const { statement } = confirmation
  // Rows behind the one that the checkpoint carries may be anybody's.
  const pause = pauses.find(({ sequence }) => sequence === carried?.sequence) ?? pauses.at(-1)
  if (
    statement.action !== 'resume' ||
    statement.store !== identity ||
    statement.namespace !== namespace ||
    statement.approver !== hostApproverId ||
    pause === undefined ||
    statement.basis !== pause.sequence ||
    statement.lifts !== (await store.hashAt(pause.sequence))
  )
    return false
  return (await describeSignatureProblem(confirmation, trust)) === undefined
}

/** Why all made tools are stopped, if they are. */
export function describePause(engine: LifecycleEngine): PauseInForce | undefined {
  const { problem } = engine.verified
  const { pause, sequence } = engine.state
  const eventHash = engine.stops.pause?.eventHash
  if (problem === undefined)
    return pause === undefined
      ? undefined
      : { ...pause, reason: showReason(engine, pause.reason), eventHash: eventHash ?? '' }
  const reason = `the event log is not the one that this host knows: ${problem}`
  return { since: engine.startedAt, reason, by: engine.host, sequence, eventHash: '' }
}

/** A reason from the log, which anybody may have written, as every refused call tells it. */
function showReason({ limits }: LifecycleEngine, reason: string): string {
  return makeVisible(reason.slice(0, limits.maxReasonLength).toWellFormed())
}
