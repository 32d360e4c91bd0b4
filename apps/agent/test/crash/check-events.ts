import type { LifecycleEventType, StoredEvent } from '@toolcrib/toolsmaker'
import type { Deed } from './fact.ts'
import type { KnownDeed } from './promises.ts'

/** Nobody touches the files of these hosts, so none of this can have happened. */
const impossible: ReadonlySet<LifecycleEventType> = new Set([
  'tool_tampered',
  'tool_held',
  'tool_policy_blocked',
  'tool_activation_failed',
  'tool_expired',
  'log_accepted',
  'event_log_upgraded',
  'projection_restored',
])

/** The events that a deed leaves. */
const eventsOf: Readonly<Record<Deed, readonly LifecycleEventType[]>> = {
  propose: ['tool_build_requested'],
  approve: ['tool_approved', 'tool_activated'],
  reject: ['tool_rejected'],
  withdraw: ['tool_withdrawn'],
  activate: ['tool_activated'],
  deactivate: ['tool_deactivated'],
  revoke: ['tool_revoked'],
  pause: ['tools_paused'],
  resume: ['tools_resumed'],
}

/**
 * Compares what was asked about one tool with its events: each deed that was acknowledged left its events, and there is none that
 * nobody asked for.
 */
export function findWrongEvents(
  events: readonly StoredEvent[],
  deeds: readonly KnownDeed[],
): readonly string[] {
  const found = new Map<LifecycleEventType, number>()
  for (const { event } of events)
    if (event !== undefined) found.set(event.type, (found.get(event.type) ?? 0) + 1)
  const least = countEvents(
    deeds.filter(({ isRepeated = false, outcome }) => outcome === 'done' && !isRepeated),
  )
  const most = countEvents(deeds.filter(({ outcome }) => outcome !== 'refused'))
  const types = new Set([...least.keys(), ...most.keys(), ...Object.values(eventsOf).flat()])
  return [
    ...[...types].flatMap((type) => {
      const [count, from, to] = [found, least, most].map((counts) => counts.get(type) ?? 0)
      if (count === undefined || from === undefined || to === undefined) return []
      return count >= from && count <= to
        ? []
        : [`${count} times ${type}, where ${from} were acknowledged and at most ${to} asked for`]
    }),
    ...[...found.keys()].filter((type) => impossible.has(type)).map((type) => `${type} on record`),
  ]
}

function countEvents(deeds: readonly KnownDeed[]): ReadonlyMap<LifecycleEventType, number> {
  const counts = new Map<LifecycleEventType, number>()
  for (const known of deeds)
    for (const type of leftBy(known)) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

function leftBy({
  byRule = false,
  deed,
  outcome,
  status,
}: KnownDeed): readonly LifecycleEventType[] {
  const isByRule = deed === 'propose' && byRule && (outcome !== 'done' || status === 'activated')
  return isByRule ? [...eventsOf.propose, ...eventsOf.approve] : eventsOf[deed]
}
