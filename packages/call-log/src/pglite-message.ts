import type { CompiledServer } from './pglite-server.ts'

/** What the thread of an embedded database is told when it begins. */
export interface EmbeddedStart {
  /** The folder of the database; without it the database lives in memory. */
  readonly dataFolder?: string
  /** Begin with the template: the folder is not there yet. */
  readonly isNew: boolean
  /** Whether a new folder keeps the tables of the template, which are those of the usual schema. */
  readonly hasTables: boolean
}

/** What a thread needs beside it. */
export interface EmbeddedThread extends EmbeddedStart {
  /** The server, compiled; without it the thread compiles its own. */
  readonly server?: CompiledServer | undefined
}

/** What the thread is asked for. Requests are carried out one after the other. */
export type EmbeddedRequest =
  /** A connection begins: nothing of the one before may be left in the session. */
  | { readonly type: 'open'; readonly connection: number }
  /** Bytes of the Postgres protocol, to the end of a request that is answered. */
  | { readonly type: 'send'; readonly connection: number; readonly bytes: Uint8Array }
  /** Close the database. */
  | { readonly type: 'close' }

/** What the thread says. */
export type EmbeddedReply =
  /** The database is open. */
  | { readonly type: 'ready' }
  /** A part of the answer to a connection. */
  | { readonly type: 'data'; readonly connection: number; readonly bytes: Uint8Array }
  /** A request has been carried out. */
  | { readonly type: 'done' }
  /** The database broke down; the thread ends. */
  | { readonly type: 'failed'; readonly reason: string }
