import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type MemoryTrust,
  type StatementEnvelope,
  type SignedDecision,
  type ToolKind,
  type VersionAction,
  createMemoryTrust,
  signDecision,
} from '@toolcrib/toolsmaker'
import { ToolError } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import { type Outside, createOutside, createOutsideKind } from './outside-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  otherAgent,
  readEvents,
  rewriteStore,
} from './bench-of-tests.ts'

// Random commands against a model that knows only the rules. The model keeps, per version, its state and whether it holds
// valid grants; everything that the toolsmaker says and does must agree with it after each command.

const hour = 3_600_000
const firstEngine: Engine = { edition: 1, quirk: 0 }
const names = ['alpha_sum', 'gamma_sum', 'omega_diff'] as const
type Name = (typeof names)[number]

interface ModelVersion {
  add: number
  status: string
  /** When the request, the approval by rule and the approval by a person run out. */
  pendingUntil: number
  ruleUntil: number
  personUntil: number
  activatedBy: 'rule' | 'person'
  /** As it was proposed, and whether a person shared it later. */
  proposedShared: boolean
  shared: boolean
  /** How the engine was when it was tried, or when a person accepted what it does; `held`: not accepted yet. */
  tried: Engine
  held?: Engine | undefined
}

/** What the kind runs tools on. Its quirk shows when a tool is tried. */
interface Engine {
  readonly edition: number
  readonly quirk: number
}

interface Model {
  engine: Engine
  versions: Map<Name, ModelVersion[]>
  paused: boolean
  now: number
}

interface Real extends Workshop {
  path: string
  used: SignedDecision[]
  engine: Engine
  outside: Outside
}

/** What runs outside, and an engine that tries; what is changed outside is found before each call and at each start. */
function kindOf({ edition, quirk }: Engine, outside: Outside): ToolKind {
  const plain = createAdderKind()
  return createOutsideKind(outside, {
    fingerprint: String(edition),
    gatherEvidence: async (proposal, options) =>
      (await plain.gatherEvidence(proposal, options)).map((run) => ({
        ...run,
        actual: Number(run.actual) + quirk,
      })),
  })
}

/** What a start does: tools in use that behave differently than when they were tried are held. */
function load(model: Model): void {
  expire(model)
  for (const version of [...model.versions.values()].flat()) {
    if (version.status !== 'activated' || version.tried.edition === model.engine.edition) continue
    if (version.tried.quirk === model.engine.quirk) version.tried = model.engine
    else hold(model, version)
  }
}

/** What the engine of now would do with a version that a person wants in use: as was seen of it last, or something else. */
function isHeldAgain({ engine }: Model, { held, tried }: ModelVersion): boolean {
  return (held ?? tried).quirk !== engine.quirk
}

/** A version that behaves otherwise than a person has seen is held instead, for a person to see it first. */
function hold({ engine }: Model, version: ModelVersion): void {
  Object.assign(version, { status: 'deactivated', held: engine })
}

function putIntoUse({ engine }: Model, version: ModelVersion, versions: ModelVersion[]): void {
  for (const other of versions) if (other.status === 'activated') other.status = 'approved'
  const changes = { status: 'activated', activatedBy: 'person', held: undefined, tried: engine }
  Object.assign(version, changes)
}

const grace = makeSigner('grace')
const mallory = { ...makeSigner('mallory'), approverId: 'grace' }
const pendingExpiryMs = 10 * hour
const approvalExpiryMs = 20 * hour

function versionsOf(model: Model, name: Name): ModelVersion[] {
  return model.versions.get(name) ?? []
}

/** Lets time act on the model, as `expirePending` does on the real thing. */
function expire(model: Model): void {
  for (const version of [...model.versions.values()].flat()) {
    const isPending = version.status === 'approval_required' && model.now >= version.pendingUntil
    const isSettled = ['approved', 'activated', 'deactivated'].includes(version.status)
    const { activatedBy, personUntil, ruleUntil, status } = version
    const byRule = status === 'activated' && activatedBy === 'rule'
    const end = byRule ? ruleUntil : Math.max(ruleUntil, personUntil)
    if (isPending || (isSettled && model.now >= end)) version.status = 'expired'
  }
}

async function check(model: Model, real: Real): Promise<void> {
  expire(model)
  await real.maker.expirePending()
  for (const name of names) {
    const expected = versionsOf(model, name)
    const listed = real.maker.listVersions(name)
    expect(listed.map(({ status }) => status)).toEqual(expected.map(({ status }) => status))
    const active = expected.filter(({ status }) => status === 'activated')
    expect(active.length).toBeLessThanOrEqual(1)
    const output = await callTool(real, name, { value: 1 })
    const wanted =
      active[0] === undefined ? 'not registered' : model.paused ? 'TOOLS_PAUSED' : 1 + active[0].add
    expect(output, name).toBe(wanted)
    const isShared = active.some(({ proposedShared, shared }) => proposedShared || shared)
    const theirs = real.maker.forAgent(otherAgent).snapshotTools()
    expect(theirs.has(name), `${name} is shared`).toBe(isShared)
  }
  const inUse = names.filter((name) =>
    versionsOf(model, name).some(({ status }) => status === 'activated'),
  )
  // What somebody else puts there is not the kind's.
  expect([...real.outside.up].toSorted()).toEqual(model.paused ? [] : inUse)
  expect(await real.maker.verifyAudit()).toMatchObject({ ok: true })
}

type Run = (model: Model, real: Real) => Promise<void>

class Step implements fc.AsyncCommand<Model, Real> {
  readonly #label: string
  readonly #run: Run

  constructor(label: string, run: Run) {
    this.#label = label
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#run(model, real)
    await check(model, real)
  }

  toString(): string {
    return this.#label
  }
}

const isLive = ({ status }: ModelVersion): boolean =>
  !['rejected', 'revoked', 'expired'].includes(status)

function propose(name: Name, add: number): Run {
  return async (model, real) => {
    const versions = versionsOf(model, name)
    const everApproved = versions.some(({ personUntil, ruleUntil }) => personUntil + ruleUntil > 0)
    const active = versions.find(({ status }) => status === 'activated')
    const proposedShared = active !== undefined && (active.shared || active.proposedShared)
    const same = versions.findLast(
      (version) =>
        version.add === add && version.proposedShared === proposedShared && isLive(version),
    )
    const built = await real.maker
      .forAgent(agent)
      .buildToolFromIntent(adderIntent({ name, definition: { add } }))
    expect(built.existing).toBe(same !== undefined)
    if (same !== undefined) return
    versions.push({
      add,
      status: everApproved ? 'approval_required' : 'activated',
      pendingUntil: model.now + pendingExpiryMs,
      ruleUntil: everApproved ? 0 : model.now + approvalExpiryMs,
      personUntil: 0,
      activatedBy: 'rule',
      proposedShared,
      shared: false,
      tried: model.engine,
    })
    model.versions.set(name, versions)
  }
}

type Signature = 'right' | 'wrong' | 'replayed' | 'other version'

/** Has a decision taken, signed in one of several ways; tells whether it was taken. */
async function decide(
  real: Real,
  wanted: { action: VersionAction; name: Name; version: number; signature: Signature },
): Promise<boolean> {
  const { action, name, signature, version } = wanted
  const take = (decision: SignedDecision): Promise<unknown> =>
    action === 'activate'
      ? real.maker.activateToolVersion(name, version, { decision })
      : action === 'share'
        ? real.maker.shareTool(name, version, { decision })
        : real.maker.approveTool(name, version, { decision })
  if (signature === 'replayed') {
    for (const decision of real.used)
      expect(await codeOf(take(decision))).not.toBe('nothing was thrown')
    return false
  }
  try {
    const statement = await real.maker.prepareDecision({ action, name, version, approver: 'grace' })
    const changed =
      signature === 'other version' ? { ...statement, version: version + 1 } : statement
    const decision = await signDecision(changed, signature === 'wrong' ? mallory : grace)
    await take(decision)
    real.used.push(decision)
    return true
  } catch {
    return false
  }
}

function approve(name: Name, version: number, signature: Signature): Run {
  return async (model, real) => {
    const target = versionsOf(model, name)[version - 1]
    const taken = await decide(real, { action: 'approve', name, version, signature })
    const isPossible = target?.status === 'approval_required' && signature === 'right'
    const isRenewal =
      ['approved', 'activated', 'deactivated'].includes(target?.status ?? '') &&
      signature === 'right'
    expect(taken).toBe(isPossible || isRenewal)
    if (target === undefined || !taken) return
    target.personUntil = model.now + approvalExpiryMs
    if (isPossible) target.status = 'approved'
  }
}

function activate(name: Name, version: number, signature: Signature): Run {
  return async (model, real) => {
    const versions = versionsOf(model, name)
    const target = versions[version - 1]
    const taken = await decide(real, { action: 'activate', name, version, signature })
    const isDecided =
      ['approved', 'deactivated'].includes(target?.status ?? '') && signature === 'right'
    const isHeld = isDecided && target !== undefined && isHeldAgain(model, target)
    expect(taken).toBe(isDecided && !isHeld)
    if (target === undefined || !isDecided) return
    if (isHeld) hold(model, target)
    else putIntoUse(model, target, versions)
  }
}

function share(name: Name, version: number, signature: Signature): Run {
  return async (model, real) => {
    const target = versionsOf(model, name)[version - 1]
    const taken = await decide(real, { action: 'share', name, version, signature })
    const isSettled = ['approved', 'activated', 'deactivated'].includes(target?.status ?? '')
    expect(taken).toBe(isSettled && signature === 'right')
    if (target !== undefined && taken) target.shared = true
  }
}

function remove(name: Name, version: number, how: 'reject' | 'revoke' | 'withdraw'): Run {
  return async (model, real) => {
    const target = versionsOf(model, name)[version - 1]
    const by = { reason: 'as the test says' }
    const done =
      how === 'reject'
        ? real.maker.rejectTool(name, version, by)
        : how === 'revoke'
          ? real.maker.revokeTool(name, version, by)
          : real.maker.forAgent(agent).withdraw(name, version)
    const code = await codeOf(done)
    const status = target?.status ?? ''
    const possible =
      how === 'revoke'
        ? ['approval_required', 'approved', 'activated', 'deactivated', 'expired', 'revoked']
        : ['approval_required']
    expect(code === 'nothing was thrown').toBe(possible.includes(status))
    if (target !== undefined && possible.includes(status))
      target.status = how === 'revoke' ? 'revoked' : 'rejected'
  }
}

function deactivate(name: Name): Run {
  return async (model, real) => {
    const target = versionsOf(model, name).find(({ status }) => status === 'activated')
    const code = await codeOf(real.maker.deactivateTool(name, { reason: 'as the test says' }))
    expect(code === 'nothing was thrown').toBe(target !== undefined)
    if (target !== undefined) target.status = 'deactivated'
  }
}

function rollback(name: Name): Run {
  return async (model, real) => {
    const versions = versionsOf(model, name)
    const before = real.maker.activeVersions()[name]
    const error: unknown = await real.maker.rollbackTool(name, { signer: grace }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (ToolError.is(error, 'TOOL_HELD')) {
      const target = versions[Number(error.data['version']) - 1]
      expect(['approved', 'deactivated']).toContain(target?.status)
      expect(target !== undefined && isHeldAgain(model, target)).toBe(true)
      if (target !== undefined) hold(model, target)
    }
    if (error !== undefined) return
    const after = real.maker.activeVersions()[name] ?? 0
    expect(after).not.toBe(before)
    const target = versions[after - 1]
    expect(['approved', 'deactivated']).toContain(target?.status)
    expect(target !== undefined && isHeldAgain(model, target)).toBe(false)
    if (target !== undefined) putIntoUse(model, target, versions)
  }
}

const pause: Run = async (model, real) => {
  await real.maker.pauseTools({ reason: 'as the test says' })
  model.paused = true
}

function resume(signature: 'right' | 'wrong'): Run {
  return async (model, real) => {
    const signer = signature === 'right' ? grace : mallory
    const code = await codeOf(real.maker.resumeTools({ signer }))
    const isPossible = model.paused && signature === 'right'
    expect(code === 'nothing was thrown').toBe(isPossible)
    if (isPossible) model.paused = false
  }
}

function wait(ms: number): Run {
  return async (model, real) => {
    model.now += ms
    real.clock.now = model.now
  }
}

async function reopen(real: Real): Promise<void> {
  const { path, trust, clock, engine, outside } = real
  const kinds = [kindOf(engine, outside)]
  const store = await openFolder(path)
  const next = await openWorkshop({ store, trust, grace, clock, kinds, inspectionLastsMs: 0 })
  Object.assign(real, next)
}

/** Ends without closing properly: the lock goes, nothing else is tidied. */
const restart: Run = async (model, real) => {
  await real.maker.close()
  await reopen(real)
  load(model)
}

/** Starts again with another edition of the engine, which may have a quirk. */
function upgrade(quirk: number): Run {
  return async (model, real) => {
    model.engine = { edition: model.engine.edition + 1, quirk }
    real.engine = model.engine
    await restart(model, real)
  }
}

/** The forged log is tried on a copy: what it takes down must not be missed later. */
function copyOutside(outside: Outside): Outside {
  return { ...createOutside(), live: new Map(outside.live), up: new Set(outside.up) }
}

/**
 * Somebody changes what runs outside; it is found before the next call, or at the next start, and held for a person. While all is
 * paused there is nothing to change.
 */
function changeOutside(name: Name, found: 'by a call' | 'at a start'): Run {
  return async (model, real) => {
    const target = versionsOf(model, name).find(({ status }) => status === 'activated')
    const before = real.outside.live.get(name)
    real.outside.live.set(name, 666)
    if (found === 'at a start') await restart(model, real)
    else if (target !== undefined && !model.paused)
      expect(await codeOf(callTool(real, name, { value: 1 }) as Promise<never>)).toBe(
        'TOOL_TAMPERED',
      )
    else await real.maker.inspectTools()
    await real.maker.expirePending()
    if (target?.status === 'activated' && !model.paused) target.status = 'deactivated'
    // Changing it back brings nothing back.
    if (before === undefined) real.outside.live.delete(name)
    else real.outside.live.set(name, before)
  }
}

const noCheckpoints = {
  readCheckpoint: () => Promise.resolve(undefined),
  saveCheckpoint: () => Promise.resolve(),
}

/** What a trust remembers of a log, from a given moment on. */
function keepCheckpoint(
  kept: StatementEnvelope | undefined,
): Pick<MemoryTrust, 'readCheckpoint' | 'saveCheckpoint'> {
  let present = kept
  return {
    readCheckpoint: () => Promise.resolve(present),
    saveCheckpoint: async (_namespace, signed) => {
      present = signed
    },
  }
}

/** Appends to a copy of the log what would grant more, and starts on it: nothing may change. */
function tamper(name: Name, version: number): Run {
  return async (model, real) => {
    await real.maker.checkProjections()
    await real.maker.close()
    const log = join(real.path, 'store', 'audit.jsonl')
    const bytes = await readFile(log)
    const events = await readEvents(real.path)
    const kept = await real.trust.readCheckpoint('default')
    const frame = {
      at: new Date(real.clock.now).toISOString(),
      actor: { kind: 'host', id: 'x' } as const,
      name,
      version,
    }
    const approvalId = 'f'.repeat(64)
    await rewriteStore(real.path, [...events, { ...frame, type: 'tool_activated', approvalId }])
    Object.assign(real.trust, noCheckpoints)
    const forged = await openWorkshop({
      store: await openFolder(real.path),
      trust: real.trust,
      grace,
      clock: real.clock,
      kinds: [kindOf(real.engine, copyOutside(real.outside))],
      inspectionLastsMs: 0,
    })
    const output = await callTool(forged, name, { value: 1 })
    const legal = forged.maker.listVersions(name).find(({ callable }) => callable)
    expect(legal === undefined ? String(output) : legal.version).not.toBe('evil')
    const before = events.findLast(
      (event) => event.type === 'tool_activated' && event.name === name,
    )
    if (legal !== undefined) expect(before).toMatchObject({ version: legal.version })
    await forged.maker.checkProjections()
    await forged.maker.close()
    await writeFile(log, bytes)
    Object.assign(real.trust, keepCheckpoint(kept as StatementEnvelope | undefined))
    await reopen(real)
    load(model)
  }
}

const name = fc.constantFrom(...names)
const version = fc.integer({ min: 1, max: 3 })
const signature = fc.constantFrom<Signature>(
  'right',
  'right',
  'right',
  'wrong',
  'replayed',
  'other version',
)

const commands = [
  fc
    .tuple(name, fc.integer({ min: 1, max: 3 }))
    .map(([n, add]) => new Step(`propose ${n} +${add}`, propose(n, add))),
  fc
    .tuple(name, version, signature)
    .map(([n, v, s]) => new Step(`approve ${n} v${v} ${s}`, approve(n, v, s))),
  fc
    .tuple(name, version, signature)
    .map(([n, v, s]) => new Step(`activate ${n} v${v} ${s}`, activate(n, v, s))),
  fc
    .tuple(name, version, signature)
    .map(([n, v, s]) => new Step(`share ${n} v${v} ${s}`, share(n, v, s))),
  fc
    .tuple(name, version, fc.constantFrom('reject', 'revoke', 'withdraw'))
    .map(([n, v, how]) => new Step(`${how} ${n} v${v}`, remove(n, v, how))),
  name.map((n) => new Step(`deactivate ${n}`, deactivate(n))),
  name.map((n) => new Step(`roll back ${n}`, rollback(n))),
  fc.constant(new Step('pause', pause)),
  fc
    .constantFrom('right' as const, 'right' as const, 'wrong' as const)
    .map((s) => new Step(`resume ${s}`, resume(s))),
  fc.integer({ min: 0, max: 12 }).map((hours) => new Step(`wait ${hours} h`, wait(hours * hour))),
  fc.constant(new Step('restart', restart)),
  fc.constantFrom(0, 0, 1).map((quirk) => new Step(`upgrade to quirk ${quirk}`, upgrade(quirk))),
  fc.tuple(name, version).map(([n, v]) => new Step(`tamper ${n} v${v}`, tamper(n, v))),
  fc
    .tuple(name, fc.constantFrom('by a call' as const, 'at a start' as const))
    .map(([n, how]) => new Step(`change ${n} outside, found ${how}`, changeOutside(n, how))),
]

function makeTrust(): MemoryTrust {
  return createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    policy: { pendingExpiryMs, approvalExpiryMs },
  })
}

/** `pnpm test:long` tries more. */
const runs = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 15 : 60

// oxlint-disable-next-line expect-expect -- each step of the property asserts, in `check`
test('whatever is commanded, only what is signed, unrevoked and unexpired is callable, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (steps) => {
      const folder = await makeFolder()
      try {
        const start = Date.UTC(2030, 0, 1)
        const clock = { now: start }
        const outside = createOutside()
        const workshop = await openWorkshop({
          store: await openFolder(folder.path),
          trust: makeTrust(),
          grace,
          clock,
          kinds: [kindOf(firstEngine, outside)],
          inspectionLastsMs: 0,
        })
        const real: Real = {
          ...workshop,
          path: folder.path,
          used: [],
          engine: firstEngine,
          outside,
        }
        const model: Model = {
          versions: new Map(),
          paused: false,
          now: start,
          engine: firstEngine,
        }
        await fc.asyncModelRun(() => ({ model, real }), steps)
        await real.maker.checkProjections()
        await real.maker.close()
      } finally {
        await folder.remove()
      }
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? runs), interruptAfterTimeLimit: 100_000 },
  )
}, 240_000)
