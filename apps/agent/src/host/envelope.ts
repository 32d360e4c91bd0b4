import { type JsonObject, ToolError } from '@toolcrib/registry'

/** What every operation answers, over the socket and with `--json`. */
export type Envelope<Data = unknown> =
  | { readonly ok: true; readonly data: Data }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly data: JsonObject }
    }

/** An error as an envelope; one that carries no code of ours is `INTERNAL`. */
export function errorEnvelope(error: unknown): Envelope<never> {
  if (ToolError.is(error))
    return { ok: false, error: { code: error.code, message: error.message, data: error.data } }
  const { code, data } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    data?: unknown
  }
  return {
    ok: false,
    error: {
      code: typeof code === 'string' ? code : 'INTERNAL',
      message: error instanceof Error ? error.message : String(error),
      data: (typeof data === 'object' && data !== null ? data : {}) as JsonObject,
    },
  }
}

/** The data of an envelope, or its error thrown again with the same code. */
export function openEnvelope<Data>(envelope: Envelope<Data>): Data {
  if (envelope.ok) return envelope.data
  const { code, message, data } = envelope.error
  throw new ToolError<string>(code, message, { data })
}
