import {
  type Callee,
  type ItemOrder,
  calleeOrder,
  isCovered,
  nameOrder,
  originOrder,
  rangeOrder,
  readPathOrder,
  writePathOrder,
} from './allowed-items.ts'
import {
  describeBytes,
  describeCallee,
  describeOrigins,
  describePaths,
  describeRanges,
  joinItems,
} from './describe-items.ts'
import { describeEffectivePolicy } from './describe-policy.ts'
import {
  type EffectiveFilePolicy,
  type EffectiveHttpPolicy,
  type EffectivePolicy,
  readEffectivePolicy,
} from './effective-policy.ts'
import { type ToolCapability, type ToolPolicy, toolCapabilities } from './tool-policy.ts'

/** What became of a capability; `changed` means that one thing takes the place of another of the same name. */
export type PolicyChangeKind = (typeof changeKinds)[number]

/** In the order in which a reviewer wants to see them: more power first. */
const changeKinds = ['added', 'widened', 'changed', 'narrowed', 'removed'] as const

/** One difference between two policies. */
export interface PolicyChange {
  readonly capability: ToolCapability
  readonly change: PolicyChangeKind
  /** Says it to a person. */
  readonly sentence: string
}

/**
 * How a policy differs from the one before, what gives power first. Empty when both allow the same, however it is written.
 *
 * @throws {ToolError} POLICY_INVALID when either cannot be read.
 */
export function diffPolicies(before: ToolPolicy, after: ToolPolicy): readonly PolicyChange[] {
  const old = readEffectivePolicy(before)
  const now = readEffectivePolicy(after)
  const changes = toolCapabilities.flatMap((capability): readonly PolicyChange[] => {
    const had = pickCapability(old, capability)
    const has = pickCapability(now, capability)
    if (had === undefined && has === undefined) return []
    if (had === undefined)
      return describeEffectivePolicy(has ?? nothing).map((sentence) => ({
        capability,
        change: 'added',
        sentence: `New: ${sentence}`,
      }))
    if (has === undefined)
      return describeEffectivePolicy(had).map((sentence) => ({
        capability,
        change: 'removed',
        sentence: `No more: ${sentence}`,
      }))
    return compareCapability({ capability, before: had, after: has })
  })
  return changes.toSorted(
    (left, right) => changeKinds.indexOf(left.change) - changeKinds.indexOf(right.change),
  )
}

const nothing: EffectivePolicy = {
  fs_read: undefined,
  fs_write: undefined,
  http: undefined,
  secrets: [],
  callees: [],
}

/** A policy with one capability alone; `undefined` where it is not given. */
function pickCapability(
  policy: EffectivePolicy,
  capability: ToolCapability,
): EffectivePolicy | undefined {
  if (capability === 'tools')
    return policy.callees.length === 0 ? undefined : { ...nothing, callees: policy.callees }
  if (capability === 'secrets')
    return policy.secrets.length === 0 ? undefined : { ...nothing, secrets: policy.secrets }
  return policy[capability] && { ...nothing, [capability]: policy[capability] }
}

interface Comparison<Part> {
  readonly capability: ToolCapability
  readonly before: Part
  readonly after: Part
}

function compareCapability(comparison: Comparison<EffectivePolicy>): PolicyChange[] {
  const { capability, before, after } = comparison
  const [oldFiles, newFiles] = [
    before.fs_read ?? before.fs_write,
    after.fs_read ?? after.fs_write,
  ] as const
  if (oldFiles && newFiles) return compareFiles({ capability, before: oldFiles, after: newFiles })
  if (before.http && after.http) return compareHttp({ before: before.http, after: after.http })
  return [
    ...compareItems(
      { capability, before: before.secrets, after: after.secrets },
      { order: nameOrder, verb: 'use', describe: (names) => `the secret ${joinItems(names)}` },
    ),
    ...compareCallees({ capability, before: before.callees, after: after.callees }),
  ]
}

function compareFiles(comparison: Comparison<EffectiveFilePolicy>): PolicyChange[] {
  const { capability, before, after } = comparison
  const access = capability === 'fs_read' ? 'read' : 'write'
  const verb = access === 'read' ? 'read' : 'create, change and delete'
  return [
    ...compareItems(
      { capability, before: before.paths, after: after.paths },
      {
        order: access === 'read' ? readPathOrder : writePathOrder,
        verb,
        describe: (paths) => `files in ${describePaths(paths, access)}`,
      },
    ),
    ...compareLimits(
      { capability, before: before.maxBytes, after: after.maxBytes },
      (bytes) => `${verb} files of at most ${describeBytes(bytes)}`,
    ),
  ]
}

function compareHttp({
  before,
  after,
}: Omit<Comparison<EffectiveHttpPolicy>, 'capability'>): PolicyChange[] {
  const capability = 'http'
  return [
    ...compareItems(
      { capability, before: before.origins, after: after.origins },
      {
        order: originOrder,
        verb: 'send HTTP requests to',
        describe: describeOrigins,
      },
    ),
    ...compareItems<string>(
      { capability, before: before.methods, after: after.methods },
      { order: nameOrder, verb: 'send requests with', describe: joinItems },
    ),
    ...compareItems(
      { capability, before: before.privateAddresses, after: after.privateAddresses },
      {
        order: rangeOrder,
        verb: 'reach',
        describe: (ranges) => `the private addresses ${describeRanges(ranges)}`,
      },
    ),
    ...compareLimits(
      { capability, before: before.maxRequestBytes, after: after.maxRequestBytes },
      (bytes) => `send at most ${describeBytes(bytes)} in a request`,
    ),
    ...compareLimits(
      { capability, before: before.maxResponseBytes, after: after.maxResponseBytes },
      (bytes) => `receive at most ${describeBytes(bytes)} in an answer`,
    ),
    ...compareLimits(
      { capability, before: before.maxRedirects, after: after.maxRedirects },
      (count) => `follow at most ${count} redirects`,
    ),
  ]
}

interface ItemWords<Item> {
  readonly order: ItemOrder<Item>
  readonly verb: string
  readonly describe: (items: readonly Item[]) => string
}

function compareItems<Item>(
  { capability, before, after }: Comparison<readonly Item[]>,
  { order, verb, describe }: ItemWords<Item>,
): PolicyChange[] {
  const gained = after.filter((item) => !isCovered(item, before, order))
  const lost = before.filter((item) => !isCovered(item, after, order))
  return [
    ...gained.map((item): PolicyChange => ({
      capability,
      change: 'widened',
      sentence: `May now also ${verb} ${describe([item])}`,
    })),
    ...lost.map((item): PolicyChange => {
      const left = after.filter((other) => order.isWithin(other, item))
      const rest = left.length === 0 ? '' : `, only ${describe(left)}`
      return {
        capability,
        change: 'narrowed',
        sentence: `May no longer ${verb} ${describe([item])}${rest}`,
      }
    }),
  ]
}

function compareCallees({
  capability,
  before,
  after,
}: Comparison<readonly Callee[]>): PolicyChange[] {
  const gained = after.filter((callee) => !isCovered(callee, before, calleeOrder))
  const lost = before.filter((callee) => !isCovered(callee, after, calleeOrder))
  const isExchanged = ({ name }: Callee): boolean => {
    const [came, went] = [gained, lost].map((callees) => findVersions(callees, name).length)
    return came !== 0 && came === went
  }
  const exchanged = gained.filter(isExchanged)
  const changes = compareItems(
    {
      capability,
      // What is only exchanged is told once, by the version that comes.
      before: before.filter((callee) => !(lost.includes(callee) && isExchanged(callee))),
      after: after.filter((callee) => !exchanged.includes(callee)),
    },
    {
      order: calleeOrder,
      verb: 'call',
      describe: (callees) => joinItems(callees.map(describeCallee)),
    },
  )
  return [
    ...exchanged.map((callee): PolicyChange => ({
      capability,
      change: 'changed',
      sentence: `May now call ${describeCallee(callee)}, before another version of it`,
    })),
    ...changes,
  ]
}

/** The items that allow single versions of a tool. */
function findVersions(callees: readonly Callee[], name: string): readonly Callee[] {
  return callees.filter((callee) => callee.name === name && callee.hash !== null)
}

function compareLimits(
  { capability, before, after }: Comparison<number>,
  describe: (limit: number) => string,
): PolicyChange[] {
  if (before === after) return []
  const change = after > before ? 'widened' : 'narrowed'
  const sentence = `May now ${describe(after)}, before: ${describe(before)}`
  return [{ capability, change, sentence }]
}
