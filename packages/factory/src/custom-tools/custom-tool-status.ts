import { toolStatuses } from '@toolcrib/toolsmaker'
import { z } from 'zod'

/** The state of a version, in the answers of factory tools. */
export const toolStatusSchema: z.ZodEnum<{
  [Status in (typeof toolStatuses)[number]]: Status
}> = z.enum(toolStatuses)
