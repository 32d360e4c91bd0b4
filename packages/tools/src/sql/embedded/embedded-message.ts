import type { SqlAnswer } from '../sql-exchange.ts'
import type { SqlRowLimits } from '../sql-rows.ts'

/** What the worker of an embedded database is started with. */
export interface EmbeddedStart {
  /** The folder of the server's data; without it everything stays in memory. */
  readonly dataFolder?: string
  readonly maxMemoryBytes: number
}

/** A statement for the worker. */
export interface EmbeddedRequest {
  readonly bytes: Uint8Array
  readonly ownStatements: number
  readonly limits: SqlRowLimits
}

/** What the worker says. After an answer it resets the session; `idle` says that it can take a request. */
export type EmbeddedReply =
  | { readonly type: 'idle' }
  | { readonly type: 'answer'; readonly answer: SqlAnswer }
  | { readonly type: 'failed'; readonly reason: string }
