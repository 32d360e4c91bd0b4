import type { JsonObject } from '@toolcrib/registry'
import { askKind } from '../validation/ask-kind.ts'
import { copyPlain } from '../plain-copy.ts'
import { schemaToParameters } from './seed-parameters.ts'
import type { ToolKind } from '../tool-kind.ts'
import { type VersionRecord, toSpec } from '../lifecycle/version-record.ts'

/** The fields of `custom-tools/<name>.json` for one version; the kind's own fields come last. */
export async function customToolFields(
  record: VersionRecord,
  kind: ToolKind | undefined,
  timeoutMs: number,
): Promise<JsonObject | undefined> {
  const spec = toSpec(record)
  if (spec === undefined) return undefined
  const own =
    kind?.toCustomTool === undefined
      ? { definition: spec.definition }
      : await askKind({ kind: kind.kind, hook: 'toCustomTool', timeoutMs }, () =>
          kind.toCustomTool?.(spec),
        )
  const copy = copyPlain(own ?? {}, { what: `answer of kind ${record.kind}`, code: 'KIND_FAILED' })
  return {
    name: spec.name,
    description: spec.description,
    type: spec.kind,
    parameters: schemaToParameters(spec.inputSchema),
    riskLevel: spec.risk,
    createdAt: spec.createdAt,
    createdBy: spec.createdBy,
    ...(copy as JsonObject),
  }
}
