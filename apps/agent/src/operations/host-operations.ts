import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Whether the host is there, and how it is. */
export const health = defineOperation(z.strictObject({}), (_input, { kernel }) => kernel.health())

/** `audit verify`: reads the whole record again and checks every hash. */
export const verifyAudit = defineOperation(z.strictObject({}), (_input, { kernel }) =>
  kernel.toolsmaker.verifyAudit(),
)
