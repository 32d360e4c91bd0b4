import type { JsonObject, JsonSchema, JsonValue, ToolRisk } from '@toolcrib/registry'
import type { ToolCapability } from './capability.ts'
import type { ToolExample, ToolRunLimits, ToolVisibility } from '../tool-spec.ts'

/** A checked proposal for a tool, before it has a version. */
export interface ToolBuildRequest {
  readonly kind: string
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly definition: JsonValue
  readonly capabilities: readonly ToolCapability[]
  readonly allowedPaths: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly secrets: readonly string[]
  /** Names of the tools it may call; their hashes are pinned when it is built. */
  readonly callees: readonly string[]
  readonly limits: ToolRunLimits
  readonly examples: readonly ToolExample[]
  readonly risk: ToolRisk
  /** Absent: as the version in use, `owner` for a new tool. */
  readonly visibility?: ToolVisibility
  readonly provenance?: JsonObject
}
