import { hostError } from '../../host-error.ts'

/** A tool and one of its versions, as it is written on the command line: `shipping_cost@2`. */
export interface VersionReference {
  readonly name: string
  readonly version: number
}

/**
 * Reads `name@version`.
 *
 * @throws {ToolError} USAGE when it is written otherwise.
 */
export function parseVersionReference(text: string): VersionReference {
  const match = /^([a-zA-Z0-9_-]{1,64})@v?([1-9]\d{0,8})$/.exec(text)
  if (match === null)
    throw hostError(
      'USAGE',
      `"${text}" names no version. Write name@version, such as shipping_cost@2.`,
    )
  return { name: match[1] ?? '', version: Number(match[2]) }
}
