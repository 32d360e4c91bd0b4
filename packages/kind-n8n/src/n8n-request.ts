import type { JsonObject, JsonSchema, JsonValue, ToolRisk } from '@toolcrib/registry'
import type { ToolBuildRequest } from '@toolcrib/toolsmaker'
import type { N8nDefinition } from './n8n-definition.ts'

/** What an n8n tool is made of, whoever wrote it. */
export interface N8nToolParts {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  readonly definition: N8nDefinition
  /** Origins that nodes reach, such as `https://crm.example.com`. */
  readonly hosts: readonly string[]
  readonly risk: ToolRisk
  readonly visibility?: 'owner' | 'shared'
  readonly provenance: JsonObject
}

/** An origin as the policies of tools write it: https goes without saying. */
export function toDomain(origin: string): string {
  return origin.replace(/^https:\/\//, '').replace(/\/$/, '')
}

/** The proposal of an n8n tool. */
export function n8nRequest(parts: N8nToolParts): ToolBuildRequest {
  const domains = [...new Set(parts.hosts.map((origin) => toDomain(origin)))].toSorted()
  return {
    kind: 'n8n',
    name: parts.name,
    description: parts.description,
    inputSchema: parts.inputSchema,
    ...(parts.outputSchema === undefined ? {} : { outputSchema: parts.outputSchema }),
    // Plain data, whose interfaces have no index signature.
    definition: parts.definition as unknown as JsonValue,
    // The power to send comes with the hosts to which it may.
    capabilities: domains.length === 0 ? [] : ['http'],
    allowedPaths: [],
    allowedDomains: domains,
    secrets: [],
    callees: [],
    limits: {},
    examples: [],
    risk: parts.risk,
    ...(parts.visibility === undefined ? {} : { visibility: parts.visibility }),
    provenance: parts.provenance,
  }
}
