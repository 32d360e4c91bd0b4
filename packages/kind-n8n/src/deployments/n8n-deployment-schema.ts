import { z } from 'zod'
import type { N8nDeployment } from './n8n-deployments.ts'

const text = z.string().min(1).max(2_000)
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const version = z.number().int().positive()

const bindingSchema = z.strictObject({
  name: text,
  path: text,
  webhookId: text,
  credential: z.strictObject({ id: text, name: text, type: z.literal('jwtAuth') }).optional(),
})

/** The schema of {@link N8nDeployment}, as it is kept. */
export const n8nDeploymentSchema: z.ZodType<N8nDeployment> = z.strictObject({
  toolName: text,
  baseUrl: text,
  version: version.optional(),
  contentHash: hash.optional(),
  function: z
    .strictObject({
      workflowId: text,
      binding: bindingSchema,
      secret: text.optional(),
      versionId: text.optional(),
      hash: text,
      mayWait: z.literal(true).optional(),
      givesOnlyJson: z.literal(true).optional(),
      givesOnlySuccess: z.literal(true).optional(),
    })
    .optional(),
  progress: z
    .strictObject({
      binding: bindingSchema,
      secret: text.optional(),
      credentialId: text.optional(),
      workflowId: text.optional(),
    })
    .optional(),
  pending: z.strictObject({ version, contentHash: hash }).optional(),
  isRetired: z.boolean().optional(),
  isUnwanted: z.boolean().optional(),
  versions: z.record(hash, text).optional(),
  leftBehind: text.optional(),
  abandoned: text.optional(),
}) as z.ZodType<N8nDeployment>
