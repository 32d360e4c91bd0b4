import { hash } from 'node:crypto'
import type { N8nWorkflow } from '@toolcrib/n8n'
import type { JsonValue } from '@toolcrib/registry'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { adderRequest } from './n8n-workflows.ts'

/** A version of a tool as a kind gets it, without a lifecycle. */
export function n8nSpec(workflow: N8nWorkflow, version = 1): ToolSpec {
  const definition = { workflow } as unknown as JsonValue
  const { kind, name, description, inputSchema } = adderRequest(workflow)
  return {
    kind,
    name,
    description,
    inputSchema,
    definition,
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: [],
    risk: 'medium',
    visibility: 'owner',
    owner: 'agent:ada',
    version,
    contentHash: hash('sha256', JSON.stringify(definition), 'hex'),
    createdAt: '2030-01-01T00:00:00.000Z',
    createdBy: 'ada',
  }
}
