import type { JsonObject, JsonSchema, JsonValue, ToolRisk } from '@toolcrib/registry'
import type { ToolCapability } from './capability.ts'
import type { ToolExample, ToolRunLimits, ToolVisibility } from '../tool-spec.ts'

/** One input of a tool in the short form. Without `default` the input is required. */
export interface IntentInput {
  readonly type: string
  readonly description?: string
  readonly default?: JsonValue
}

/** What an agent wants a tool for, in the form that is easiest to write. */
export interface ToolIntent {
  readonly name: string
  /** What the tool does and when to use it; becomes its description. */
  readonly purpose: string
  /** Inputs by name, or a JSON Schema of type `object`. @default no inputs */
  readonly inputs?: Readonly<Record<string, IntentInput>> | JsonSchema
  /** Names of output fields, outputs by name, or a JSON Schema. @default not said */
  readonly outputs?: readonly string[] | Readonly<Record<string, IntentInput>> | JsonSchema
  /** @default none */
  readonly capabilities?: readonly ToolCapability[]
  /** Needed by `fs_read` and `fs_write`. */
  readonly allowedPaths?: readonly string[]
  /** Needed by `http`: origins as policies have them, such as `api.example.com` or `*.example.com`. */
  readonly allowedDomains?: readonly string[]
  /** Names of secrets; needed by `secrets`. */
  readonly secrets?: readonly string[]
  /** Names of tools it calls; needed by `tools`. */
  readonly callees?: readonly string[]
  /** @default 'medium' */
  readonly risk?: ToolRisk
  /** @default 'compute' */
  readonly kind?: string
  /** What the kind runs. */
  readonly definition: JsonValue
  readonly examples?: readonly ToolExample[]
  readonly limits?: ToolRunLimits
  readonly visibility?: ToolVisibility
  readonly provenance?: JsonObject
}
