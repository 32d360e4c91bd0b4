/** What a client asks of the lifecycle of made tools. */
export type Deed =
  | 'propose'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'activate'
  | 'deactivate'
  | 'revoke'
  | 'pause'
  | 'resume'

/** Which tool a deed is about. Each program that is proposed returns a number of its own, its token, so that a call tells what ran. */
export interface DeedSubject {
  readonly name?: string
  readonly token?: number
  /** The agent that owns the tool. */
  readonly owner?: string
  /** For a proposal: whether a rule may put it into use, because no version of the tool was ever approved. */
  readonly byRule?: boolean
  /** For a proposal: it says what is on record already, which changes nothing unless that was turned down meanwhile. */
  readonly isRepeated?: boolean
}

/** What a client was told of a call. */
export interface Answer {
  readonly callId: string
  readonly toolName: string
  /** Absent for a success. */
  readonly code?: string
  /** Whether the answer says that the tool ran. */
  readonly ran: boolean
  /** From the call to its answer, less what the tool took, in milliseconds. */
  readonly aroundMs: number
  /** The beginning of the output, as JSON text. */
  readonly output?: string
}

/** What kept an answer from waiting for a row. */
export type Window = 'start on its way' | 'end not durable in time'

/** What a host says about itself and its clients, one line each, before anything else happens. All of it has to be true for good. */
export type Fact =
  /** A host is up; nothing that was under way before it can happen any more. */
  | { readonly fact: 'up' }
  /** What was promised before was looked at, and its clients begin. */
  | { readonly fact: 'checked' }
  | ({ readonly fact: 'begun'; readonly id: string; readonly deed: Deed } & DeedSubject)
  /** It was acknowledged. */
  | { readonly fact: 'done'; readonly id: string; readonly status?: string }
  /** It was answered that it was not done. */
  | { readonly fact: 'refused'; readonly id: string; readonly code: string }
  | ({ readonly fact: 'answered' } & Answer)
  /** After a restart: the number that a tool returns, `null` where it cannot be called, and whether all made tools are paused. */
  | { readonly fact: 'seen'; readonly name: string; readonly token: number | null }
  | { readonly fact: 'seen'; readonly paused: boolean }
  | { readonly fact: 'broken'; readonly problem: string }
  /** An answer and its row differ in a way that the call log's README names. */
  | { readonly fact: 'window'; readonly callId: string; readonly window: Window }
  /** It came to its end in good order. */
  | { readonly fact: 'closed' }
