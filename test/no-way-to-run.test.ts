import { resolveTools } from '@toolcrib/factory'
import {
  type Principal,
  type ToolDefinition,
  ToolRegistry,
  localPrincipal,
  viewTool,
} from '@toolcrib/registry'
import { createMemoryEventStore, createMemoryTrust, createToolsmaker } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { listPackageEntries, repositoryFolder } from './package-entries.ts'

const agent: Principal = { kind: 'agent', id: 'alice' }
let runs = 0

const pay: ToolDefinition = {
  name: 'pay',
  description: 'Pays',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { destructiveHint: true },
  risk: 'high',
  execute: () => {
    runs += 1
    return {}
  },
}

const own: ToolDefinition = {
  ...pay,
  name: 'own',
  source: {
    type: 'made',
    kind: 'compute',
    version: 1,
    hash: '0'.repeat(64),
    owner: 'agent:alice',
    visibility: 'owner',
  },
}

function openRegistry(): ToolRegistry {
  const registry = new ToolRegistry()
  registry.register(pay)
  registry.register(own)
  return registry
}

/** Foreign code may never answer. */
async function settle(value: unknown): Promise<unknown> {
  try {
    return await Promise.race([value, new Promise((resolve) => setTimeout(resolve, 20))])
  } catch {
    return undefined
  }
}

async function callWith(work: unknown, self: unknown, parameters: unknown[]): Promise<unknown> {
  try {
    return await settle(Reflect.apply(work as (...all: unknown[]) => unknown, self, parameters))
  } catch {
    // It wants something else.
    return undefined
  }
}

/** Goes through everything that can be reached from a value, methods called too, and tells where something can be run. */
async function findRunnable(
  start: unknown,
  name: string,
  { depth: deepest, anyTool }: { readonly depth: number; readonly anyTool: boolean },
): Promise<readonly string[]> {
  const found: string[] = []
  const seen = new Set<unknown>()
  const walk = async (value: unknown, path: string, depth: number): Promise<void> => {
    const isObject = typeof value === 'object' && value !== null
    if (value === pay.execute || value === pay || value === own) found.push(path)
    if (!isObject || seen.has(value) || depth > deepest) return
    seen.add(value)
    for (let level: unknown = value; level !== null && level !== Object.prototype;) {
      for (const key of Reflect.ownKeys(level as object)) {
        const at = `${path}.${String(key)}`
        if (anyTool && key === 'execute') found.push(at)
        if (key === 'constructor') continue
        let member: unknown
        try {
          member = Reflect.get(level as object, key, value)
        } catch {
          continue
        }
        await walk(member, at, depth + 1)
        if (typeof member !== 'function' || level === Array.prototype) continue
        for (const parameters of [[], ['pay'], ['own']])
          await walk(await callWith(member, value, parameters), `${at}()`, depth + 1)
      }
      level = Object.getPrototypeOf(level) as unknown
      if (level === Array.prototype) break
    }
  }
  await walk(start, name, 0)
  return found
}

test('nothing that agents and clients are given leads to what runs a tool', async () => {
  const registry = openRegistry()
  const maker = await createToolsmaker({
    store: createMemoryEventStore(),
    trust: createMemoryTrust(),
    kinds: [],
    registry,
  })
  const handedOut: Readonly<Record<string, unknown>> = {
    'registry.snapshot()': registry.snapshot(),
    'registry.snapshot(agent)': registry.snapshot(agent),
    'registry.list()': registry.list(),
    viewTool: viewTool(own),
    'maker.forAgent': maker.forAgent(agent),
    'maker.snapshotTools': maker.snapshotTools(),
    resolveTools: resolveTools(['pay', 'own'], {
      registry,
      principal: localPrincipal,
      toolsmaker: { checkCallable: () => undefined, forAgent: () => maker.forAgent(agent) },
    }),
  }
  for (const [name, value] of Object.entries(handedOut))
    expect(await findRunnable(value, name, { depth: 6, anyTool: true })).toEqual([])
  expect(runs).toBe(0)
})

for (const entry of listPackageEntries())
  test(`no export of ${entry.slice(repositoryFolder.length)} makes something that runs out of a view or a snapshot`, async () => {
    const registry = openRegistry()
    const snapshot = registry.snapshot(agent)
    const view = snapshot.get('own')
    const module = (await import(entry)) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'function' || /^class\b/.test(String(value))) continue
      // They wait for a signal, and would only wait.
      if (name === 'waitForAbort' || name === 'orAbort') continue
      for (const parameters of [[view], [snapshot], [snapshot, 'own'], [view, view]])
        expect(
          await findRunnable(await callWith(value, undefined, parameters), name, {
            depth: 2,
            // A double of a tool runs, and does not run ours.
            anyTool: false,
          }),
          name,
        ).toEqual([])
    }
    expect(runs).toBe(0)
  })
