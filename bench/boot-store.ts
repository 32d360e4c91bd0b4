import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createComputeKind } from '@toolcrib/kind-compute'
import { ToolRegistry } from '@toolcrib/registry'
import {
  type EventStore,
  type ToolBuildRequest,
  createMemoryEventStore,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'

/** Where a host keeps its made tools and what it believes. */
export interface BootFolders {
  readonly store: string
  readonly trust: string
}

/** The folders under one root. */
export function bootFoldersIn(root: string): BootFolders {
  return { store: join(root, 'store'), trust: join(root, 'trust') }
}

/**
 * Makes a data folder with so many compute tools, each proposed, checked, tried and approved by rule through the
 * toolsmaker itself. They are made in memory, and their events then written to files in larger batches than one tool's,
 * because a hundred thousand commits to disk would measure the disk.
 */
export async function makeStoredTools(toolCount: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-boot-'))
  const folders = bootFoldersIn(root)
  const trust = await openTrustDirectory(folders.trust)
  const memory = createMemoryEventStore()
  const kinds = [createComputeKind()]
  const registry = new ToolRegistry()
  const toolsmaker = await createToolsmaker({ store: memory, trust, kinds, registry })
  // A person, for agents may propose 30 times a minute.
  const agent = toolsmaker.forAgent({ kind: 'person', id: 'bench' })
  for (let index = 0; index < toolCount; index += 1) {
    const { status } = await agent.buildTool(requestTool(index))
    if (status !== 'activated') throw new Error(`Tool ${index} is ${status}, not activated.`)
  }
  await copyEvents(memory, folders.store)
  await toolsmaker.close()
  return root
}

async function copyEvents(from: EventStore, directory: string): Promise<void> {
  const events = (await from.read()).flatMap(({ event }) => (event === undefined ? [] : [event]))
  const store = await openFileEventStore({ directory })
  // The first row is the store's identity, so it must be a batch of its own as it was.
  await store.append(events.slice(0, 1), 0)
  for (let sequence = 1; sequence < events.length; sequence += 5_000)
    await store.append(events.slice(sequence, sequence + 5_000), sequence)
  await store.close()
}

function requestTool(index: number): ToolBuildRequest {
  return {
    kind: 'compute',
    name: `shipping_cost_${((index * 7_919) % 1_000_003).toString(36)}_${index}`,
    description: `Works out what parcel tariff ${index} charges for a weight`,
    inputSchema: {
      type: 'object',
      properties: { weight_kg: { type: 'number', description: 'Weight in kilograms' } },
      required: ['weight_kg'],
    },
    definition: {
      steps: [
        { op: 'math', expression: `weight_kg * 2.50 + ${index}`, output: 'base_cost' },
        {
          op: 'condition',
          if: 'weight_kg > 10',
          then: [{ op: 'math', expression: 'base_cost * 0.9', output: 'base_cost' }],
        },
        { op: 'return', value: 'base_cost' },
      ],
    },
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: [{ input: { weight_kg: 2 }, expected: 5 + index }],
    risk: 'low',
  }
}
