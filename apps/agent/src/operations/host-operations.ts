import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Whether the host is there, and how it is. */
export const health = defineOperation(z.strictObject({}), (_input, { kernel }) => kernel.health())

/** `audit verify`: reads the whole record again and checks every hash. */
export const verifyAudit = defineOperation(z.strictObject({}), (_input, { kernel }) =>
  kernel.toolsmaker.verifyAudit(),
)

/** Every event about one tool. */
export const showHistory = defineOperation(
  z.strictObject({ name: z.string() }),
  ({ name }, { kernel }) => kernel.toolsmaker.history(name),
)

/** Verifies all active tools against the present approvers and policy. */
export const reloadTools = defineOperation(z.strictObject({}), (_input, { kernel }) =>
  kernel.toolsmaker.loadActiveTools(),
)
