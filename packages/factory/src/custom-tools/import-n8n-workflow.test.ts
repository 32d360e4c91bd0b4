import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { N8nWorkflow, StoredWorkflow } from '@toolcrib/n8n'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHost, type TestHost } from '../../test/open-host.ts'
import { createScriptedN8nKind, type ScriptedN8nKind } from '../../test/scripted-n8n-kind.ts'
import { importN8nWorkflow, type WorkflowReader } from '@toolcrib/kind-n8n'
import { loadCustomTools } from '../index.ts'
import { workflowExample } from '../generation/workflow-example.ts'

const workflow = workflowExample['workflow'] as unknown as N8nWorkflow

/** A tool as its predecessor kept it: an id, and no parameters. */
const file = {
  name: 'order_status',
  description: 'Looks up where an order is',
  type: 'n8n',
  parameters: {},
  riskLevel: 'medium',
  createdAt: '2026-02-24T12:00:00.000Z',
  createdBy: 'toolFactory',
  n8nWorkflowId: 'Ab12',
  templateSource: 'order-status',
}

let host: TestHost
let n8n: ScriptedN8nKind

beforeEach(async () => {
  n8n = createScriptedN8nKind()
  host = await openHost({}, { kinds: [n8n.kind] })
})

afterEach(async () => {
  await host.close()
})

const drop = async (content: object): Promise<void> => {
  await mkdir(join(host.directory, 'custom-tools'), { recursive: true })
  await writeFile(
    join(host.directory, 'custom-tools', 'order_status.json'),
    JSON.stringify(content),
  )
}

const warning = (): unknown => host.lines.find(({ level }) => level === 'warn')?.data['reason']

test('importing takes what a workflow is, and nothing of what the server keeps beside it', async () => {
  const asked: unknown[] = []
  const stored: StoredWorkflow = {
    ...workflow,
    id: 'Ab12',
    active: true,
    isArchived: false,
    versionId: 'v1',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    tags: [{ id: '1', name: 'shop' }],
    staticData: { lastSeen: 17 },
    pinData: { Call: [{ json: { secret: 'x' } }] },
  }
  const client: WorkflowReader = {
    workflows: {
      get: async (id) => {
        asked.push(id)
        return stored
      },
    },
  }
  expect(await importN8nWorkflow(client, 'Ab12')).toEqual(workflow)
  expect(asked).toEqual(['Ab12'])
})

describe('a file that only names a workflow', () => {
  test('is named and skipped with what to do, and never registered', async () => {
    await drop(file)
    expect(
      await loadCustomTools(host.registry, { toolsmaker: host.toolsmaker, logger: host.logger }),
    ).toBe(0)
    expect(warning()).toMatch(/CUSTOM_TOOL_UNSUPPORTED.*"Ab12".*readN8nWorkflow/)
    expect(host.toolsmaker.listVersions()).toEqual([])
    expect(n8n.asked).toEqual([])
  })

  test('becomes a proposal of a copy where the workflow can be read, once', async () => {
    await drop(file)
    const asked: string[] = []
    const readN8nWorkflow = async (id: string): Promise<N8nWorkflow> => {
      asked.push(id)
      return workflow
    }
    await loadCustomTools(host.registry, {
      toolsmaker: host.toolsmaker,
      logger: host.logger,
      readN8nWorkflow,
    })
    expect(host.toolsmaker.listPending()).toMatchObject([
      { name: 'order_status', kind: 'n8n', owner: 'service:custom-tools', visibility: 'shared' },
    ])
    expect(host.toolsmaker.getSpec('order_status', 1)).toMatchObject({
      allowedDomains: ['shop.example'],
      definition: { workflow: { nodes: workflow.nodes } },
      provenance: { source: 'file', n8nWorkflowId: 'Ab12', templateSource: 'order-status' },
    })
    host = await host.restart()
    await loadCustomTools(host.registry, {
      toolsmaker: host.toolsmaker,
      logger: host.logger,
      readN8nWorkflow,
    })
    expect(asked).toEqual(['Ab12'])
    expect(n8n.asked).toEqual([])
  })

  test('is skipped while n8n does not answer, and tried again at the next start', async () => {
    await drop(file)
    const down = (): Promise<never> => Promise.reject(new Error('nobody answers'))
    await loadCustomTools(host.registry, {
      toolsmaker: host.toolsmaker,
      logger: host.logger,
      readN8nWorkflow: down,
    })
    expect(warning()).toBe('nobody answers')
    await loadCustomTools(host.registry, {
      toolsmaker: host.toolsmaker,
      logger: host.logger,
      readN8nWorkflow: async () => workflow,
    })
    expect(host.toolsmaker.listPending()).toHaveLength(1)
  })

  test('is refused when what n8n gives is no workflow that can be checked', async () => {
    await drop(file)
    const readN8nWorkflow = async (): Promise<N8nWorkflow> =>
      ({ ...workflow, nodes: [{}] }) as never
    await loadCustomTools(host.registry, {
      toolsmaker: host.toolsmaker,
      logger: host.logger,
      readN8nWorkflow,
    })
    expect(warning()).toMatch(/^CUSTOM_TOOL_INVALID: workflow: /)
    expect(host.toolsmaker.listVersions()).toEqual([])
  })
})

test('a file that holds its workflow becomes a proposal without asking n8n', async () => {
  const { n8nWorkflowId: _id, ...others } = file
  await drop({ ...others, workflow })
  const readN8nWorkflow = (): Promise<never> => Promise.reject(new Error('must not be asked'))
  await loadCustomTools(host.registry, {
    toolsmaker: host.toolsmaker,
    logger: host.logger,
    readN8nWorkflow,
  })
  expect(warning()).toBeUndefined()
  expect(host.toolsmaker.listPending()).toMatchObject([{ name: 'order_status', kind: 'n8n' }])
})
