import type { JsonObject, JsonSchema, JsonValue, ToolRisk } from '@toolcrib/registry'
import type {
  ToolBuildRequest,
  ToolCapability,
  ToolExample,
  ToolRunLimits,
} from '@toolcrib/toolsmaker'
import type { CodeDefinition, CodeLimits, PinnedModule } from '@toolcrib/kind-code'

/** What a code tool is made of, whoever wrote it. */
export interface CodeToolParts {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  readonly form: CodeDefinition['form']
  readonly source: string
  readonly modules?: readonly PinnedModule[] | undefined
  readonly humanReadableFormat?: string | undefined
  readonly capabilities?: readonly ToolCapability[] | undefined
  readonly allowedPaths?: readonly string[] | undefined
  readonly allowedDomains?: readonly string[] | undefined
  readonly secrets?: readonly string[] | undefined
  readonly callees?: readonly string[] | undefined
  readonly limits?: (ToolRunLimits & CodeLimits) | undefined
  readonly examples: readonly ToolExample[]
  readonly risk?: ToolRisk | undefined
  readonly provenance: JsonObject
}

/** The proposal of a code tool. What is not said is left out, so that equal tools have equal hashes. */
export function codeRequest(parts: CodeToolParts): ToolBuildRequest {
  const { cpuMs, maxHostCalls, memoryBytes, ...runLimits } = parts.limits ?? {}
  const codeLimits = said({ cpuMs, maxHostCalls, memoryBytes })
  const definition = said({
    language: 'typescript',
    form: parts.form,
    source: parts.source,
    modules: parts.modules === undefined || parts.modules.length === 0 ? undefined : parts.modules,
    humanReadableFormat: parts.humanReadableFormat,
    limits: Object.keys(codeLimits).length === 0 ? undefined : codeLimits,
  })
  return {
    kind: 'code',
    name: parts.name,
    description: parts.description,
    inputSchema: parts.inputSchema,
    ...(parts.outputSchema === undefined ? {} : { outputSchema: parts.outputSchema }),
    definition: definition as JsonValue,
    capabilities: parts.capabilities ?? [],
    allowedPaths: parts.allowedPaths ?? [],
    allowedDomains: parts.allowedDomains ?? [],
    secrets: parts.secrets ?? [],
    callees: parts.callees ?? [],
    limits: said(runLimits),
    examples: parts.examples.map((example) => said({ ...example }) as unknown as ToolExample),
    risk: parts.risk ?? 'medium',
    provenance: parts.provenance,
  }
}

function said(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
