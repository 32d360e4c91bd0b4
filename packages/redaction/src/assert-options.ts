/** An option that the function does not know was given to it. */
export class OptionsError extends TypeError {
  override readonly name: string = 'OptionsError'
  /** The code that all packages use for this; see `assertOptions` of `@toolcrib/registry`. */
  readonly code = 'OPTIONS_INVALID' as const
}

/**
 * Refuses options that are not known: a misspelt one would silently hide nothing. This package depends on no other, so the
 * check is its own.
 *
 * @throws {OptionsError} OPTIONS_INVALID
 */
export function assertOptions(caller: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new OptionsError(`${caller}() takes an object of options.`)
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.includes(name))
      throw new OptionsError(
        `${caller}() has no option "${name}". It knows ${known.map((each) => `"${each}"`).join(', ')}.`,
      )
}
