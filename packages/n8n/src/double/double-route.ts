import type { JsonValue } from '@toolcrib/registry'
import type { DoubleAnswer } from './double-answer.ts'
import type { DoubleState } from './double-state.ts'

/** A request of the public API, read and taken apart. */
export interface DoubleRequest {
  readonly state: DoubleState
  /** What the caller's key may do. */
  readonly scopes: readonly string[]
  readonly query: URLSearchParams
  /** The parts of the path that the route names. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: JsonValue
}

/** One operation of the public API. */
export interface DoubleRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, such as `/workflows/:id`. */
  readonly path: string
  /** What an API key needs for it. */
  readonly scope: string
  /** Absent in the other releases. */
  readonly only?: 1 | 2
  /** Refuses other query parameters; 1.x does. */
  readonly query?: readonly string[]
  /** Refuses a request without one. */
  readonly needsBody?: boolean
  readonly answer: (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>
}

/** The values of a path's parameters, or undefined where it is another path. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) parameters[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return parameters
}
