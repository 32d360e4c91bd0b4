import { type PolicyRule, type ToolCapability, ToolPolicyViolation } from '@toolcrib/policy'

/** The name of one operation of the host that code may ask for. */
export type HostOperationName =
  | 'http.request'
  | `fs.${'readText' | 'readBytes' | 'exists' | 'stat' | 'list'}`
  | `fs.${'writeText' | 'writeBytes' | 'appendText' | 'createFolder' | 'delete'}`
  | 'secrets.ref'
  | 'tools.call'

/** The operations of the host, each with the capabilities of which it needs one. */
export const hostOperationPowers: Readonly<Record<HostOperationName, readonly ToolCapability[]>> = {
  'http.request': ['http'],
  'fs.readText': ['fs_read'],
  'fs.readBytes': ['fs_read'],
  'fs.exists': ['fs_read', 'fs_write'],
  'fs.stat': ['fs_read', 'fs_write'],
  'fs.list': ['fs_read'],
  'fs.writeText': ['fs_write'],
  'fs.writeBytes': ['fs_write'],
  'fs.appendText': ['fs_write'],
  'fs.createFolder': ['fs_write'],
  'fs.delete': ['fs_write'],
  'secrets.ref': ['secrets'],
  'tools.call': ['tools'],
}

/** All of them. */
export const hostOperationNames: readonly HostOperationName[] = Object.keys(
  hostOperationPowers,
) as HostOperationName[]

/** Tells whether a text names an operation. */
export function isHostOperation(name: string): name is HostOperationName {
  return Object.hasOwn(hostOperationPowers, name)
}

const ruleOfCapability: Readonly<Record<ToolCapability, PolicyRule>> = {
  fs_read: 'fs.path',
  fs_write: 'fs.path',
  http: 'http.domain',
  secrets: 'secret.unknown',
  tools: 'tools.callee',
}

/** What a capability is asked for with. */
const argumentOfCapability: Readonly<Record<ToolCapability, string>> = {
  fs_read: 'allowedPaths',
  fs_write: 'allowedPaths',
  http: 'allowedDomains',
  secrets: 'secrets',
  tools: 'callees',
}

/** Why a tool has not what it wants to use. */
export interface MissingPower {
  /** What the tool declares itself. */
  readonly declared: readonly ToolCapability[]
}

/** The refusal of an operation for which a call has no power at all. */
export function missingPower(
  operation: HostOperationName,
  { declared }: MissingPower,
): ToolPolicyViolation {
  const capabilities = hostOperationPowers[operation]
  const capability = capabilities[0] ?? 'tools'
  const isDeclared = capabilities.some((needed) => declared.includes(needed))
  return new ToolPolicyViolation({
    rule: ruleOfCapability[capability],
    tried: `use ctx.${operation}, for which this call has no power`,
    howToAsk: isDeclared
      ? `The tool has the capability "${capability}", but the operator or a tool that led to this call has not. Powers of a chain are what all of it may do.`
      : `Propose a new version with the capability "${capability}" and what it needs in ${argumentOfCapability[capability]}.`,
  })
}
