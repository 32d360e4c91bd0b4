import type { z } from 'zod'

/**
 * A kind of statement: the payload type that its envelopes bear, and the form of its payload. A signature over a statement of one
 * type never counts for another, since the type is part of what is signed.
 */
export interface StatementType<Statement> {
  /** `application/vnd.toolcrib.NAME.v2+json`; the number goes up whenever the meaning of a field changes. */
  readonly payloadType: string
  readonly schema: z.ZodType<Statement>
}
