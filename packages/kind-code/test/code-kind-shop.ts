import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import type { Invoker, JsonObject, Logger, ToolResult } from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type { BuildOutcome, ToolIntent } from '@toolcrib/toolsmaker'
import { type CodeDefinition, type CodeKindOptions, createCodeKind } from '../src/index.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import { agent, openWorkshop, type Workshop } from '../../toolsmaker/test/bench-of-tests.ts'

/** A violation, as the invoker told of it. */
interface ToldViolation {
  readonly toolName: string
  readonly message: string
  readonly rule: unknown
}

/** A workshop whose tools are code, with an invoker in front of it. */
export interface CodeShop extends Workshop {
  readonly invoker: Invoker
  readonly violations: ToldViolation[]
  /** Proposes as ada would. */
  propose(intent: CodeIntent): Promise<BuildOutcome>
  /** Proposes, approves and activates; fails when the proposal does not pass. */
  make(intent: CodeIntent): Promise<BuildOutcome>
  call(name: string, input: unknown, options?: { readonly timeoutMs?: number }): Promise<ToolResult>
}

/** An intent whose definition is said by its source. */
export type CodeIntent = Partial<ToolIntent> & {
  readonly name: string
  readonly source: string
  readonly form?: CodeDefinition['form']
  readonly modules?: CodeDefinition['modules']
  readonly humanReadableFormat?: string
  readonly codeLimits?: CodeDefinition['limits']
}

export async function openCodeShop(
  options: Omit<CodeKindOptions, 'sandbox'> & {
    readonly sandbox: Sandbox
    readonly logger?: Logger
    readonly kindTimeoutMs?: number
  },
): Promise<CodeShop> {
  const { kindTimeoutMs, logger, ...kindOptions } = options
  const workshop = await openWorkshop({
    kinds: [createCodeKind(kindOptions)],
    ...(kindTimeoutMs === undefined ? {} : { kindTimeoutMs }),
  })
  const { grace, maker, registry } = workshop
  const violations: ToldViolation[] = []
  const invoker = createInvoker({
    registry,
    log: createMemoryCallLog(),
    checkCallable: (tool, principal) => maker.checkCallable(tool, principal),
    onPolicyViolation: ({ data, message, toolName }) => {
      const inner = data?.['toolErrorData'] as JsonObject | undefined
      violations.push({ toolName, message, rule: data?.['rule'] ?? inner?.['rule'] })
    },
    ...(logger === undefined ? {} : { logger }),
  })
  const propose = (intent: CodeIntent): Promise<BuildOutcome> =>
    maker.forAgent(agent).buildToolFromIntent(toIntent(intent))
  return {
    ...workshop,
    invoker,
    violations,
    propose,
    async make(intent) {
      const built = await propose(intent)
      if (built.status !== 'approval_required')
        throw new Error(`${built.status}: ${JSON.stringify(built.report.checks, null, 1)}`)
      await maker.approveTool(intent.name, built.spec.version, { signer: grace })
      await maker.activateToolVersion(intent.name, built.spec.version, { signer: grace })
      return built
    },
    call: (name, input, callOptions = {}) =>
      invoker.invoke(name, input, { principal: agent, ...callOptions }),
  }
}

function toIntent(intent: CodeIntent): ToolIntent {
  const { codeLimits, form = 'function', humanReadableFormat, modules, source, ...rest } = intent
  return {
    purpose: 'Does something for a test',
    kind: 'code',
    inputs: {},
    examples: [{ input: {} }],
    definition: {
      language: 'typescript',
      form,
      source,
      ...(modules === undefined ? {} : { modules: modules as never }),
      ...(humanReadableFormat === undefined ? {} : { humanReadableFormat }),
      ...(codeLimits === undefined ? {} : { limits: codeLimits as never }),
    },
    ...rest,
  }
}
