import type { JsonValue } from '@toolcrib/registry'
import type { UnmetClause } from './read-condition.ts'

/** A step into parameters. */
export type ParameterPath = readonly (string | number)[]

/** Something in the parameters of a node that n8n does not read. */
export interface IgnoredParameter {
  readonly path: ParameterPath
  readonly value: JsonValue
  /**
   * - `unknown`: nothing of that name is there;
   * - `hidden`: it is read only when other parameters have other values;
   * - `form`: it is there, and is not of the form that n8n reads;
   * - `code`: n8n's code does not heed it, though the description of the node has it.
   */
  readonly reason: 'unknown' | 'hidden' | 'form' | 'code'
  /** For each parameter of that name what keeps it from being read. */
  readonly unmet: readonly (readonly UnmetClause[])[]
  /** Why it is not read, where more is known than the reason. */
  readonly why?: string
  /** What to do, where that is known. */
  readonly fix?: string
}

/** Says that a value at a path is not read, because of its form unless told otherwise. */
export function notRead(
  value: JsonValue,
  path: ParameterPath,
  { reason = 'form', ...words }: Partial<Pick<IgnoredParameter, 'reason' | 'why' | 'fix'>> = {},
): IgnoredParameter {
  return { path, value, reason, unmet: [], ...words }
}
