import { type ToolPolicy, readToolPolicy } from '@toolcrib/policy'
import type { SecretVault } from '@toolcrib/policy/secrets'
import { ToolError } from '@toolcrib/registry'

/**
 * What the built-in tools may touch unless told otherwise: read and write in the workspace, and http and https to every
 * public host.
 */
export function defaultToolPolicy(workspace: string): ToolPolicy {
  return {
    fs_read: { paths: [workspace], maxBytes: 5_242_880 },
    fs_write: { paths: [workspace], maxBytes: 268_435_456 },
    http: { origins: ['https://*:*', 'http://*:*'] },
  }
}

function defaultPolicy(workspace: string, vault: SecretVault | undefined): ToolPolicy {
  const policy = defaultToolPolicy(workspace)
  if (vault === undefined || vault.names.length === 0) return policy
  return { ...policy, secrets: { names: vault.names } }
}

/**
 * The policy of the built-in tools. One that names secrets which nobody has would be a promise that nobody keeps.
 *
 * @throws {ToolError} POLICY_INVALID
 */
export function readBuiltInPolicy(
  given: ToolPolicy | undefined,
  { workspace, vault }: { readonly workspace: string; readonly vault: SecretVault | undefined },
): ToolPolicy {
  const policy = readToolPolicy(given ?? defaultPolicy(workspace, vault))
  const known = vault?.names ?? []
  const unknown = policy.secrets?.names.find((name) => !known.includes(name))
  if (unknown === undefined) return policy
  const problem =
    vault === undefined
      ? 'no vault is given. Pass `vault`, or leave `secrets` out.'
      : `the vault does not have it. It has: ${known.join(', ') || 'none'}.`
  throw new ToolError<string>(
    'POLICY_INVALID',
    `The policy cannot be used. secrets.names: ${JSON.stringify(unknown)}: ${problem}`,
    { data: { field: 'secrets.names' } },
  )
}
