import type { MadeToolSource, ToolAnnotations, ToolDefinition } from '@toolcrib/registry'
import { kindFailure } from '../validation/ask-kind.ts'
import { deepFreeze } from '../deep-freeze.ts'
import type { CallGuard } from './inspect-before-call.ts'
import type { Grant } from '../approvals/judge-version.ts'
import { defaultMaxInputBytes } from '../proposals/narrow-limits.ts'
import type { CompiledTool, ToolKind } from '../tool-kind.ts'
import type { ToolContent, ToolSpec } from '../tool-spec.ts'
import { type VersionRecord, specOf } from '../lifecycle/version-record.ts'

/** What a made tool is put together from, beside its record and what was granted. */
export interface MadeToolParts {
  readonly kind: ToolKind
  readonly compiled?: CompiledTool
  /** Asked before each call. @default every call goes on */
  readonly guard?: CallGuard | undefined
}

/**
 * The tool that a version becomes. It is compiled by its kind on the first call, so that a start with thousands of tools
 * compiles none; pass `compiled` where it was compiled already.
 */
export function createMadeTool(
  record: VersionRecord,
  grant: Grant,
  { kind, compiled, guard }: MadeToolParts,
): ToolDefinition {
  const { content, limits, visibility } = grant
  let callable = compiled
  const compileOnce = (): CompiledTool => (callable ??= compileTool(kind, specOf(record, content)))
  const source: MadeToolSource = {
    type: 'made',
    kind: record.kind,
    version: record.version,
    hash: record.contentHash,
    owner: content.owner,
    visibility,
    ...(record.approval === undefined ? {} : { approvalId: record.approval.approvalId }),
  }
  const annotations = annotate(kind, { record, content })
  const tool: ToolDefinition = Object.freeze<ToolDefinition>({
    name: content.name,
    description: content.description,
    inputSchema: content.inputSchema,
    ...(content.outputSchema === undefined ? {} : { outputSchema: content.outputSchema }),
    maxInputBytes: defaultMaxInputBytes,
    ...limits,
    risk: content.risk,
    ...(annotations === undefined ? {} : { annotations }),
    source: Object.freeze(source),
    describeCall: (input) => compileOnce().describeCall?.(input) ?? content.name,
    execute: (input, signal, context) => {
      const guarded = guard?.({ tool, signal, principal: context.principal })
      const run = (): ReturnType<CompiledTool['execute']> =>
        compileOnce().execute(input, signal, context)
      return guarded === undefined ? run() : guarded.then(run)
    },
  })
  return tool
}

/**
 * Has a kind compile a spec.
 *
 * @throws {ToolError} KIND_FAILED when it throws, or gives nothing that can be called.
 */
export function compileTool(kind: ToolKind, spec: ToolSpec): CompiledTool {
  let compiled: CompiledTool
  try {
    compiled = kind.compile(deepFreeze(spec))
  } catch (cause) {
    throw kindFailure(kind.kind, 'compile', cause)
  }
  if (typeof compiled?.execute === 'function') return compiled
  throw kindFailure(kind.kind, 'compile', new Error('it gave nothing that can be called'))
}

function annotate(
  kind: ToolKind,
  { content, record }: { readonly content: ToolContent; readonly record: VersionRecord },
): ToolAnnotations | undefined {
  if (kind.annotate !== undefined) return kind.annotate(specOf(record, content))
  const { capabilities } = content
  // Without capabilities all depends on the kind: a formula touches nothing, a workflow may touch anything.
  if (capabilities.length === 0) return undefined
  const reads = capabilities.every((capability) => capability === 'fs_read')
  return {
    readOnlyHint: reads,
    destructiveHint: !reads,
    openWorldHint: capabilities.includes('http') || capabilities.includes('tools'),
  }
}
