import { openHostVault } from '../built-in/open-vault.ts'
import type { N8nSettings } from '../../settings/n8n-settings.ts'

/** The key of n8n's public API, or why there is none. */
export type N8nKey = { readonly value: string } | { readonly problem: string }

/**
 * Reads the key as secrets are read: with the same rules for files. A key that cannot be read, such as a variable that this
 * terminal does not have, switches n8n tools off: a host with a key less can do less, never more.
 */
export function readN8nKey(
  { apiKey, baseUrl }: N8nSettings,
  place: {
    readonly environment: Readonly<Record<string, string | undefined>>
    /** Where the settings stand, for messages. */
    readonly where: string
  },
): N8nKey {
  const { unavailable, vault } = openHostVault(
    { N8N_API_KEY: { ...apiKey, hosts: [new URL(baseUrl).hostname] } },
    place,
  )
  const [value] = vault.listValues()
  return value === undefined
    ? { problem: unavailable[0]?.reason ?? 'the API key cannot be read' }
    : { value }
}
