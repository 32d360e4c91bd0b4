import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonValue, ToolRegistry } from '@toolcrib/registry'
import {
  type ApprovalSigner,
  type EventStore,
  type LifecycleEvent,
  type SignedDecision,
  type Trust,
  createMemoryEventStore,
  createSigner,
  createToolsmaker,
  generateKeyPair,
  openFileEventStore,
  openTrustDirectory,
  signDecision,
} from '@toolcrib/toolsmaker'
import { decisionId, readDecision } from '../src/approvals/decision-schema.ts'
import { hashJson } from '../src/hash-json.ts'
import { createAdderKind } from '../test/adder-kind.ts'
import { adderIntent, statementIn } from '../test/bench-of-tests.ts'

// Stores with many tools, made fast: one tool of each sort is proposed, checked, tried and decided; the others have the same events
// under their own names, with hashes and signatures of their own.

/** A person, for agents may propose 30 times a minute. */
export const proposer = { kind: 'person', id: 'ada' } as const

/** So long ago that nothing of it counts as just proposed, in milliseconds. */
const ageMs = 86_400_000
const batchRows = 5_000

/** The events of one tool, and the event before them. */
interface Template {
  readonly events: readonly LifecycleEvent[]
  readonly after: number
}

/** What the events of many tools are made with. */
interface Workbench {
  readonly trust: Trust
  readonly grace: ApprovalSigner
}

/** Makes trust and store of a number of tools, some of them with permissions that a person gave. */
export async function makeStore(
  root: string,
  { tools, withPermissions }: { readonly tools: number; readonly withPermissions: number },
): Promise<void> {
  const keys = generateKeyPair()
  const grace = createSigner('grace', keys)
  await openTrustDirectory(join(root, 'trust'))
  const approvers = [{ id: 'grace', name: 'Grace', publicKey: keys.publicKey }]
  await writeFile(join(root, 'trust', 'approvers.json'), JSON.stringify(approvers), { mode: 0o600 })
  const bench: Workbench = { trust: await openTrustDirectory(join(root, 'trust')), grace }
  const { first, harmless, powerful } = await makeTemplates(bench)
  const store = await openFileEventStore({ directory: join(root, 'store') })
  // The first row is the store's identity, so it must be a batch of its own as it was.
  await store.append([first], 0)
  let batch: LifecycleEvent[] = []
  for (let index = 0; index < tools; index += 1) {
    const template = index < withPermissions ? powerful : harmless
    const after = store.sequence + batch.length
    // oxlint-disable no-await-in-loop -- one tool after the other
    batch.push(...(await cloneTool(template, { name: nameOf(index), after, ...bench })))
    if (batch.length < batchRows && index < tools - 1) continue
    await store.append(batch, store.sequence)
    // oxlint-enable no-await-in-loop
    batch = []
  }
  await store.close()
  await acceptStore(root, bench)
}

/** The trust knows the log of the templates; a person accepts the one that was made from it. */
async function acceptStore(root: string, { grace, trust }: Workbench): Promise<void> {
  const store = await openFileEventStore({ directory: join(root, 'store') })
  const kinds = [createAdderKind()]
  const maker = await createToolsmaker({ store, trust, kinds, registry: new ToolRegistry() })
  await maker.acceptLog({ signer: grace })
  await maker.close()
}

function nameOf(index: number): string {
  return `price_${(index * 7919).toString(36)}_${index}`
}

/** What an agent asks for. */
export function pricing(name: string, add: number): ReturnType<typeof adderIntent> {
  const steps = Array.from({ length: 8 }, (_, step) => [`step${step}`, `value * ${step} + rate`])
  return adderIntent({
    name,
    purpose: 'Prices a parcel from its weight and the zone it goes to, in euros',
    definition: { add, ...Object.fromEntries(steps) },
    examples: [{ input: { value: 1 }, expected: add + 1 }],
  })
}

async function makeTemplates({ grace, trust }: Workbench): Promise<{
  readonly first: LifecycleEvent
  readonly harmless: Template
  readonly powerful: Template
}> {
  const store = createMemoryEventStore()
  const kinds = [createAdderKind()]
  const maker = await createToolsmaker({ store, trust, kinds, registry: new ToolRegistry() })
  const ada = maker.forAgent(proposer)
  const [first] = await eventsOf(store, 0)
  if (first === undefined) throw new Error('The log was not begun')
  const from = store.sequence
  await ada.buildToolFromIntent(pricing('harmless_sum', 7))
  const between = store.sequence
  const powers = { capabilities: ['http'], allowedDomains: ['https://example.com'] } as const
  await ada.buildToolFromIntent({ ...pricing('powerful_total', 7), ...powers })
  await maker.approveTool('powerful_total', 1, { signer: grace })
  await maker.activateToolVersion('powerful_total', 1, { signer: grace })
  const events = await eventsOf(store, from)
  await maker.close()
  return {
    first,
    harmless: { events: events.slice(0, between - from), after: from },
    powerful: { events: events.slice(between - from), after: between },
  }
}

async function eventsOf(store: EventStore, after: number): Promise<readonly LifecycleEvent[]> {
  const rows = await store.read(after + 1)
  return rows.flatMap(({ event }) => (event === undefined ? [] : [event]))
}

async function cloneTool(
  { after: oldAfter, events }: Template,
  { after, grace, name, trust }: Workbench & { readonly name: string; readonly after: number },
): Promise<readonly LifecycleEvent[]> {
  const at = new Date(Date.now() - ageMs).toISOString()
  let contentHash = ''
  const made: LifecycleEvent[] = []
  for (const event of events) {
    const clone = { ...structuredClone(event), at, name } as LifecycleEvent
    if (clone.type === 'tool_build_generated') {
      Object.assign(clone.content, { name })
      contentHash = hashJson(clone.content as unknown as JsonValue)
      Object.assign(clone, { contentHash })
    }
    if ('decision' in clone && clone.decision !== undefined) {
      const old = statementIn(clone.decision)
      const statement = { ...old, name, contentHash, basis: old.basis + after - oldAfter }
      const signer = statement.approver === grace.approverId ? grace : trust.hostSigner()
      // oxlint-disable-next-line no-await-in-loop -- one event after the other
      const decision: SignedDecision = await signDecision(statement, signer)
      Object.assign(clone, { decision })
      if ('approvalId' in clone && clone.type === 'tool_approved')
        Object.assign(clone, { approvalId: decisionId(readDecision(decision)) })
    }
    made.push(clone)
  }
  return made
}
