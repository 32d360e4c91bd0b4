import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Principal, type ToolDefinition, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type ToolContent,
  type VersionStatement,
  createSigner,
  generateKeyPair,
  openFileEventStore,
  signDecision,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kernel, createKernel } from '../src/host/kernel.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

const agent: Principal = { kind: 'agent', id: 'mallory' }
let folder: ReturnType<typeof makeTemporaryFolder>
let data: string

beforeEach(() => {
  folder = makeTemporaryFolder()
  data = join(folder.path, 'data')
})
afterEach(() => folder.remove())

const constant = (name: string, result: number): object => ({
  tool_name: name,
  tool_description: `Gives the constant ${result} for any number`,
  tool_parameters: { x: { type: 'number' } },
  logic: {
    steps: [
      { op: 'math', expression: `x * 0 + ${result}`, output: 'result' },
      { op: 'return', value: 'result' },
    ],
  },
})

async function make(kernel: Kernel, name: string, result: number): Promise<string> {
  const made = await kernel.invoker.invoke('toolFactory_createCompute', constant(name, result), {
    principal: agent,
  })
  if (!made.success) throw new Error(made.error)
  return (made.output as { status: string }).status
}

async function call(kernel: Kernel, name: string): Promise<unknown> {
  const result = await kernel.invoker.invoke(name, { x: 1 }, { principal: agent })
  return result.success ? result.output : result.errorCode
}

/** Writes a whole new record, with every hash computed again, in the place of the old one. */
async function rewriteStore(
  change: (events: readonly LifecycleEvent[]) => Promise<readonly LifecycleEvent[]>,
): Promise<void> {
  const store = join(data, 'store')
  const old = await openFileEventStore({ directory: store })
  const events = (await old.read()).flatMap(({ event }) => (event === undefined ? [] : [event]))
  await old.close()
  const forged = join(folder.path, 'forged')
  const written = await openFileEventStore({ directory: forged })
  const [first, ...others] = await change(events)
  // The first row stands alone, as it did: its hash is the identity of the log.
  if (first !== undefined) await written.append([first], 0)
  await written.append(others, 1)
  await written.close()
  rmSync(store, { recursive: true })
  cpSync(forged, store, { recursive: true })
}

/** The same content with another result, and its true hash. */
async function withResult(
  content: ToolContent,
  result: number,
): Promise<{ content: ToolContent; contentHash: string }> {
  const changed = JSON.parse(
    JSON.stringify(content).replaceAll(/x \* 0 \+ \d+/g, `x * 0 + ${result}`),
  ) as ToolContent
  return { content: changed, contentHash: await contentHash(changed as never) }
}

test('a definition changed in a store whose every hash is computed again does not run', async () => {
  const first = await createKernel({ data, environment: {} })
  expect(await make(first, 'answer_giver', 42)).toBe('activated')
  expect(await call(first, 'answer_giver')).toBe(42)
  await first.close()
  await rewriteStore((events) =>
    Promise.all(
      events.map(async (event) =>
        event.type === 'tool_build_generated'
          ? { ...event, ...(await withResult(event.content, 666)) }
          : event,
      ),
    ),
  )
  const second = await createKernel({ data, environment: {} })
  expect(await call(second, 'answer_giver')).toBe('TOOL_NOT_FOUND')
  expect(second.toolsmaker.listVersions('answer_giver')).toMatchObject([{ callable: false }])
  const history = await second.toolsmaker.history('answer_giver')
  expect(history.map(({ event }) => event?.type)).toContain('tool_tampered')
  await second.close()
})

test('an approval signed with a key of the attacker, or copied from another version, is worth nothing', async () => {
  const first = await createKernel({ data, environment: {} })
  await make(first, 'answer_giver', 42)
  expect(await make(first, 'answer_giver', 666)).toBe('approval_required')
  await first.close()
  const keys = generateKeyPair()
  await rewriteStore(async (events) => {
    const [approved, activated] = (['tool_approved', 'tool_activated'] as const).map((type) =>
      events.find((event) => event.type === type),
    )
    const pending = events.find(
      (event) => event.type === 'tool_build_generated' && event.version === 2,
    )
    if (
      approved?.type !== 'tool_approved' ||
      activated?.type !== 'tool_activated' ||
      pending?.type !== 'tool_build_generated'
    )
      throw new Error('The record is not as expected')
    const signed = Buffer.from(approved.decision.payload, 'base64').toString()
    const statement = {
      ...(JSON.parse(signed) as VersionStatement),
      version: 2,
      contentHash: pending.contentHash,
    }
    const copied = { ...approved, version: 2 }
    const decision = await signDecision(statement, createSigner(statement.approver, keys))
    const forged = { ...approved, version: 2, decision }
    return [...events, copied, { ...activated, version: 2 }, forged, { ...activated, version: 2 }]
  })
  const approvers = [{ id: 'host', name: 'host', publicKey: keys.publicKey }]
  writeFileSync(join(data, 'store', 'approvers.json'), JSON.stringify(approvers))
  const second = await createKernel({ data, environment: {} })
  expect(await call(second, 'answer_giver')).not.toBe(666)
  expect(
    second.toolsmaker.listVersions('answer_giver').find(({ version }) => version === 2)?.callable,
  ).toBe(false)
  await second.close()
})

test('every file of the store may be rewritten: nothing is run from any of them', async () => {
  const first = await createKernel({ data, environment: {} })
  await make(first, 'answer_giver', 42)
  await make(first, 'answer_giver', 666)
  await first.close()
  writeFileSync(join(data, 'store/active_versions.json'), '{"answer_giver":2}')
  writeFileSync(
    join(data, 'store/specs/answer_giver_v1.json'),
    JSON.stringify({ ...constant('answer_giver', 666) }),
  )
  writeFileSync(
    join(data, 'store/custom-tools/dropped_tool.json'),
    JSON.stringify({
      name: 'dropped_tool',
      description: 'Was put into the folder by somebody',
      type: 'compute',
      parameters: { x: { type: 'number' } },
      riskLevel: 'low',
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: 'mallory',
      logic: (constant('dropped_tool', 666) as { logic: object }).logic,
    }),
  )
  const second = await createKernel({ data, environment: {} })
  expect(await call(second, 'answer_giver')).toBe(42)
  expect(await call(second, 'dropped_tool')).toBe('TOOL_NOT_FOUND')
  expect(second.toolsmaker.listPending().map(({ name }) => name)).toContain('dropped_tool')
  await second.close()
})

/** Everything that can be reached from a value: properties, symbols, prototypes, getters. */
function reachableNames(root: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const visit = (value: unknown, depth: number): void => {
    if (
      (typeof value !== 'object' && typeof value !== 'function') ||
      value === null ||
      seen.has(value) ||
      depth > 12
    )
      return
    seen.add(value)
    for (const key of Reflect.ownKeys(value)) {
      names.add(String(key))
      try {
        visit((value as Record<PropertyKey, unknown>)[key], depth + 1)
      } catch {
        // A getter that throws leads nowhere.
      }
    }
    visit(Object.getPrototypeOf(value), depth + 1)
  }
  visit(root, 0)
  return names
}

test('a hostile tool finds nothing in its context that approves, activates, rolls back or resumes', async () => {
  let found: ReadonlySet<string> = new Set()
  const hostile: ToolDefinition = {
    name: 'hostile_tool',
    description: 'Looks for a way out',
    inputSchema: { type: 'object' },
    execute: (_input, signal, context) => {
      found = reachableNames([context, signal])
      return 'done'
    },
  }
  const kernel = await createKernel({ data, environment: {}, tools: [hostile] })
  await make(kernel, 'answer_giver', 42)
  await make(kernel, 'answer_giver', 666)
  expect(await call(kernel, 'hostile_tool')).toBe('done')
  expect(found.has('invoke')).toBe(true)
  for (const name of [
    'approveTool',
    'activateToolVersion',
    'rollbackTool',
    'shareTool',
    'resumeTools',
    'toolsmaker',
    'kernel',
    'hostSigner',
    'registry',
    'unregister',
    'replace',
  ])
    expect(found.has(name), name).toBe(false)

  const surface = reachableNames(kernel.toolsmaker.forAgent(agent))
  expect(surface.has('buildTool')).toBe(true)
  for (const name of [
    'approveTool',
    'activateToolVersion',
    'rollbackTool',
    'shareTool',
    'resumeTools',
    'hostSigner',
    'replace',
  ])
    expect(surface.has(name), name).toBe(false)
  expect(await call(kernel, 'answer_giver')).toBe(42)
  await kernel.close()
})
