import { createComputeKind } from '@toolcrib/kind-compute'
import { type Principal, ToolRegistry, type ToolResult, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type ToolContent,
  createMemoryEventStore,
  createToolsmaker,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'
import type { Kernel } from '../../host/kernel.ts'
import { changedLines } from '../review/show-review.ts'

/** The agent that the showcase plays. */
const showcaseAgent: Principal = { kind: 'agent', id: 'showcase' }

const toolName = 'shipping_cost'

const shippingCost = (
  heavyFactor: string,
  examples: readonly (readonly [number, number])[],
): object => ({
  tool_name: toolName,
  tool_description:
    'Says what shipping a parcel costs, by its weight; heavy parcels get a discount',
  tool_parameters: {
    weight_kg: { type: 'number', description: 'Weight of the parcel in kilograms' },
  },
  logic: {
    steps: [
      { op: 'math', expression: 'weight_kg * 2.50 + 5.00', output: 'base_cost' },
      {
        op: 'condition',
        if: 'weight_kg > 10',
        // oxlint-disable-next-line unicorn/no-thenable -- the language calls it so
        then: [{ op: 'math', expression: `base_cost * ${heavyFactor}`, output: 'base_cost' }],
      },
      { op: 'return', value: 'base_cost' },
    ],
  },
  examples: examples.map(([weight, expected]) => ({ input: { weight_kg: weight }, expected })),
})

/** What the showcase did, for the screen and for `--json`. */
export interface ShowcaseReport {
  readonly made: {
    readonly name: string
    readonly version: number
    readonly hash: string
    readonly checks: number
    readonly examples: number
    readonly powers: readonly string[]
    readonly approvedBy: string
  }
  readonly call: {
    readonly input: unknown
    readonly output: unknown
    readonly durationMs: number
    readonly logged: string
  }
  readonly waiting: {
    readonly name: string
    readonly version: number
    readonly changed: readonly string[]
  }
  readonly tampered: { readonly refused: boolean; readonly code: string; readonly reason: string }
}

/** Plays the main job once, with real parts: an agent makes a tool, calls it, changes it; somebody tampers with a copy. */
export async function playShowcase(kernel: Kernel): Promise<ShowcaseReport> {
  await ask(
    kernel,
    'toolFactory_createCompute',
    shippingCost('0.9', [
      [2, 10],
      [10, 30],
      [12, 31.5],
    ]),
  )
  const made = await describeMade(kernel)
  const call = await callAndLookUp(kernel)
  await ask(
    kernel,
    'toolFactory_createCompute',
    shippingCost('0.8', [
      [2, 10],
      [12, 28],
    ]),
  )
  const waiting = kernel.toolsmaker.listPending().find(({ name }) => name === toolName)
  if (waiting === undefined) throw new Error('The changed tool does not wait for a person')
  const review = await kernel.toolsmaker.readReview(toolName, waiting.version)
  return {
    made,
    call,
    waiting: {
      name: toolName,
      version: waiting.version,
      changed: stepChanges(review?.change?.diff ?? ''),
    },
    tampered: await tamperWithCopy(kernel),
  }
}

async function ask(kernel: Kernel, tool: string, input: unknown): Promise<ToolResult> {
  const result = await kernel.invoker.invoke(tool, input, { principal: showcaseAgent })
  if (!result.success) throw new Error(`${tool}: ${result.error}`)
  return result
}

async function describeMade({ toolsmaker }: Kernel): Promise<ShowcaseReport['made']> {
  const [summary] = toolsmaker.listVersions(toolName)
  const review = await toolsmaker.readReview(toolName, 1)
  if (summary === undefined || review === undefined) throw new Error(`${toolName} was not made`)
  const { approvedBy } = summary
  return {
    name: toolName,
    version: summary.version,
    hash: summary.contentHash,
    checks: review.checks.length,
    examples: review.evidence.filter(({ origin }) => origin === 'author').length,
    powers: review.powers,
    approvedBy:
      approvedBy !== undefined && 'rule' in approvedBy ? `rule ${approvedBy.rule}` : 'a person',
  }
}

async function callAndLookUp(kernel: Kernel): Promise<ShowcaseReport['call']> {
  const input = { weight_kg: 12 }
  const result = await ask(kernel, toolName, input)
  const logged = await kernel.callLog.get(result.callId)
  return {
    input,
    output: result.success ? result.output : undefined,
    durationMs: result.durationMs,
    logged: logged === undefined ? 'nothing' : `started + ${logged.status}`,
  }
}

/** The changed steps only: the examples and the frame of the diff are for the whole review. */
function stepChanges(diff: string): readonly string[] {
  return changedLines(diff)
    .filter((line) => line.includes('"expression"'))
    .map((line) => line.replace(/^([-+])\s*"expression":\s*"(.*)",?$/, '$1 $2'))
}

/**
 * Does what somebody with write access to the store could do: copies the record, changes one digit of what runs, computes
 * every hash again, and starts a host on the copy, with the true approvers.
 */
async function tamperWithCopy(kernel: Kernel): Promise<ShowcaseReport['tampered']> {
  const events = await Promise.all(
    (await kernel.toolsmaker.listEvents({ limit: 10_000 })).map(({ event }) => forge(event)),
  )
  const store = createMemoryEventStore({ namespace: kernel.toolsmaker.namespace })
  const [first, ...others] = events.filter((event) => event !== undefined)
  // The first row stands alone, as it did: its hash is the identity of the log.
  if (first !== undefined) await store.append([first], 0)
  await store.append(others, 1)
  const trust = await openTrustDirectory(kernel.folder.trust)
  const registry = new ToolRegistry()
  const copy = await createToolsmaker({ store, trust, kinds: [createComputeKind()], registry })
  try {
    const { refused } = await copy.loadActiveTools()
    const [found] = refused
    return {
      refused: found !== undefined && !registry.has(toolName),
      code: (found?.code ?? 'nothing').toLowerCase(),
      reason: found?.reason ?? '',
    }
  } finally {
    await copy.close()
  }
}

async function forge(event: LifecycleEvent | undefined): Promise<LifecycleEvent | undefined> {
  if (event?.type !== 'tool_build_generated' || event.version !== 1) return event
  const text = JSON.stringify(event.content).replace('base_cost * 0.9', 'base_cost * 0.1')
  const content = JSON.parse(text) as ToolContent
  return { ...event, content, contentHash: await contentHash(JSON.parse(text) as never) }
}
