import { hostError } from '../host-error.ts'

/**
 * Says that settings cannot be used, and what to do.
 *
 * @param where they stand
 */
export function settingsInvalid(where: string, what: string, cause?: unknown): Error {
  return hostError(
    'SETTINGS_INVALID',
    `${where}: ${what.replace(/\.$/, '')}. The host does not guess what tools may do: mend it, or remove it to have the safe defaults.`,
    cause === undefined ? {} : { cause },
  )
}
