import type { EventQuery } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Whether the host is there, and how it is. */
export const health = defineOperation(z.strictObject({}), (_input, { kernel }) => kernel.health())

const eventTypes = z.string().max(100) as z.ZodType<NonNullable<EventQuery['type']>>

/** `audit list`: the latest events. */
export const listAuditEvents = defineOperation(
  z.strictObject({
    name: z.string().optional(),
    type: eventTypes.optional(),
    limit: z.int().min(1).max(10_000).optional(),
  }),
  ({ name, type, limit }, { kernel, signal }) =>
    kernel.toolsmaker.listEvents({
      signal,
      ...(name === undefined ? {} : { name }),
      ...(type === undefined ? {} : { type }),
      ...(limit === undefined ? {} : { limit }),
    }),
)

/** `audit verify`: reads the whole record again and checks every hash. */
export const verifyAudit = defineOperation(z.strictObject({}), (_input, { kernel }) =>
  kernel.toolsmaker.verifyAudit(),
)
