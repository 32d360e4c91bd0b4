import type { ToolCapability, ToolPolicy } from '@toolcrib/policy'
import { ToolPolicyViolation } from '@toolcrib/policy'
import type { SecretVault } from '@toolcrib/policy/secrets'
import type { ToolDefinition } from '@toolcrib/registry'
import type { HostOperation, HostOperations } from '@toolcrib/sandbox'
import type { PowersOfCall } from './code-powers.ts'
import { explainLimits } from '../evidence/explain-limits.ts'
import type { PolicyGuards } from './guard-cache.ts'
import { guardedToolCall } from './guarded-callees.ts'
import { guardedFiles } from './guarded-files.ts'
import { guardedHttpRequest } from './guarded-http.ts'
import {
  type HostOperationName,
  hostOperationNames,
  hostOperationPowers,
} from './host-operation-names.ts'
import { missingPower } from './host-operation-powers.ts'
import { readObject, readText } from './operation-arguments.ts'

/** What the operations of one call are made of. */
export interface GuardedOperationsOptions {
  readonly call: PowersOfCall
  /** What the call may touch. */
  readonly policy: ToolPolicy
  /** What the operator allows, with absolute paths. */
  readonly operator: ToolPolicy
  /** What of the tool's own the operator allows. */
  readonly byOperator: ToolPolicy
  readonly workspace: string
  readonly guards: PolicyGuards
  readonly vault: SecretVault | undefined
  readonly findTool: ((name: string) => ToolDefinition | undefined) | undefined
}

/** Every operation that a guest may ask for. One that the policy does not give throws a violation and does nothing. */
export function guardedOperations(options: GuardedOperationsOptions): HostOperations {
  const { call, findTool, guards, policy } = options
  const { operator, workspace } = options
  const guarded = {
    ...guardedFiles({ folders: () => guards.folders() }),
    'http.request': guardedHttpRequest({
      guard: () => guards.http(),
      remainingMs: call.remainingMs,
    }),
  }
  const given: Readonly<Record<string, HostOperation>> = {
    ...explainLimits(guarded, { own: call.own, operator, granted: policy, workspace }),
    'secrets.ref': guardedSecret(options),
    'tools.call': guardedToolCall({ policy, invoke: call.invoke, findTool }),
  }
  const declared = capabilitiesOf(call.own)
  const allowed = capabilitiesOf(options.byOperator)
  const operations: Record<string, HostOperation> = {}
  for (const name of hostOperationNames) {
    const operation = isGiven(name, policy) ? given[name] : undefined
    operations[name] =
      operation ??
      (() => {
        throw missingPower(name, { declared, allowed })
      })
  }
  return operations
}

function capabilitiesOf(policy: ToolPolicy): readonly ToolCapability[] {
  return Object.entries(policy)
    .filter(([, part]) => part !== undefined)
    .map(([name]) => name as ToolCapability)
}

function isGiven(name: HostOperationName, policy: ToolPolicy): boolean {
  return hostOperationPowers[name].some((capability) => policy[capability] !== undefined)
}

/** `ctx.secrets.ref`: what stands for a secret. Its value never enters the sandbox. */
function guardedSecret({ policy, vault }: GuardedOperationsOptions): HostOperation {
  return (argument) => {
    const name = readText('secrets.ref', readObject('secrets.ref', argument), 'name')
    if (vault !== undefined && policy.secrets?.names.includes(name) === true)
      return vault.placeholder(name)
    throw new ToolPolicyViolation({
      rule: 'secret.unknown',
      tried: `use the secret ${JSON.stringify(name.slice(0, 100))}`,
      howToAsk:
        'Propose a new version that names it in secrets; the operator must have set it up, and each tool that leads to this call must name it too.',
    })
  }
}
