import type { JsonObject, JsonSchema, JsonValue, ToolRisk } from '@toolcrib/registry'
import type { PinnedCallee, ToolCapability } from './proposals/capability.ts'

/** What one run of a tool may use up. */
export interface ToolRunLimits {
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs?: number
  /** Larger inputs, in bytes of UTF-8 JSON text, are refused. @default 1_048_576 */
  readonly maxInputBytes?: number
  /** Larger outputs, in bytes of UTF-8, reach the caller only as a preview. */
  readonly maxOutputBytes?: number
  /** How many calls may run at once. */
  readonly maxConcurrent?: number
}

/**
 * What the author says that an operation of the host would answer while an example is tried. Nothing outside is asked
 * before a tool is approved.
 */
export interface ExampleFixture {
  /** Such as `http.request`. */
  readonly operation: string
  /** Answers only operations whose argument has these values; the first fixture that fits answers. @default any argument */
  readonly argument?: JsonValue
  /** What it answers. @default null */
  readonly result?: JsonValue
  /** Fails with this message instead. */
  readonly error?: string
}

/** An input, with the output that the author promises for it. */
export interface ToolExample {
  readonly input: JsonObject
  /** Absent when the author promises only that it runs. */
  readonly expected?: JsonValue
  /** For tools that use operations of the host. */
  readonly fixtures?: readonly ExampleFixture[]
  readonly note?: string
}

/** Who may see and call a made tool. */
export type ToolVisibility = 'owner' | 'shared'

/** Everything of a made tool that is hashed and signed. */
export interface ToolContent {
  readonly kind: string
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  /** What the kind runs: steps, a workflow, source code. */
  readonly definition: JsonValue
  readonly capabilities: readonly ToolCapability[]
  readonly allowedPaths: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly secrets: readonly string[]
  readonly callees: readonly PinnedCallee[]
  readonly limits: ToolRunLimits
  readonly examples: readonly ToolExample[]
  readonly risk: ToolRisk
  readonly visibility: ToolVisibility
  /** The principal that owns the tool, as `principalKey` gives it, such as `agent:alice`. */
  readonly owner: string
  /** The principal that proposed this version, written as the owner is; absent in versions of earlier releases. */
  readonly proposer?: string
}

/** One version of a made tool. Never changes. */
export interface ToolSpec extends ToolContent {
  readonly version: number
  /** SHA-256 over the canonical JSON of the {@link ToolContent}, 64 hexadecimal digits. */
  readonly contentHash: string
  /** When it was proposed, ISO 8601. */
  readonly createdAt: string
  /** Who proposed it, by id. */
  readonly createdBy: string
  /** Where it comes from, in the author's words, such as the template or file; not hashed. */
  readonly provenance?: JsonObject
}
