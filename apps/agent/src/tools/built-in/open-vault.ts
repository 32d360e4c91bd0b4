import { type SecretDefinition, type SecretVault, openSecretVault } from '@toolcrib/policy/secrets'
import { ToolError } from '@toolcrib/registry'
import { settingsInvalid } from '../../settings/settings-error.ts'

/** Secrets that can be used, and those that cannot, with the reason. */
export interface HostVault {
  readonly vault: SecretVault
  readonly unavailable: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * Opens the vault with every secret that can be read. One that cannot, such as a variable that this terminal does not have, is
 * left out: a host with a secret less can do less, never more, and commands such as `log` work without it.
 *
 * The variables stay in the host's own environment. To delete them would protect from nothing, for the operating system goes on
 * showing the environment that the process began with, and a program that embeds the host may need them.
 *
 * @throws {ToolError} SETTINGS_INVALID when the binding of a secret cannot be used.
 */
export function openHostVault(
  secrets: Readonly<Record<string, SecretDefinition>>,
  {
    environment,
    where,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>
    /** Where the settings stand, for messages. */
    readonly where: string
  },
): HostVault {
  const unavailable: { name: string; reason: string }[] = []
  const available = Object.entries(secrets).filter(([name, definition]) => {
    try {
      openSecretVault({ [name]: definition }, { environment })
      return true
    } catch (error) {
      const { message } = error as Error
      if (!ToolError.is(error, 'SECRET_UNAVAILABLE')) throw settingsInvalid(where, message, error)
      unavailable.push({ name, reason: message })
      return false
    }
  })
  return { vault: openSecretVault(Object.fromEntries(available), { environment }), unavailable }
}
