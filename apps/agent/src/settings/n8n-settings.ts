import { isAbsolute } from 'node:path'
import { z } from 'zod'

const texts = z.array(z.string().min(1).max(4_096)).max(1_000)

/** An address without anything that could be a secret, or that says where on the server. */
const address = z
  .string()
  .max(2_000)
  .refine((text) => {
    const url = URL.parse(text)
    return (
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === ''
    )
  }, 'must be an address such as http://127.0.0.1:5678, without user, password, "?" and "#"')

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of an environment variable')
const wholePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine(isAbsolute, 'must be a whole path, such as /run/secrets/n8n')

/** Where n8n is, and what workflows that become tools may contain. */
export const n8nSettingsSchema = z.strictObject({
  enabled: z.boolean().exactOptional(),
  baseUrl: address,
  apiKey: z.union(
    [z.strictObject({ environment: variable }), z.strictObject({ file: wholePath })],
    'needs "environment" (the name of a variable) or "file" (a whole path), and nothing else. The key itself never stands in the settings',
  ),
  webhookBaseUrl: address.exactOptional(),
  timeoutMs: z.int().min(1_000).max(3_600_000).exactOptional(),
  inspectEveryMs: z.int().min(100).max(3_600_000).exactOptional(),
  privateAddresses: texts.exactOptional(),
  nodes: z
    .strictObject({
      allow: texts.exactOptional(),
      deny: texts.exactOptional(),
      allowCode: z.boolean().exactOptional(),
      allowSubWorkflows: z.boolean().exactOptional(),
      hosts: texts.exactOptional(),
    })
    .exactOptional(),
})

/** The field `n8n` of `tool-settings.json`. */
export type N8nSettings = z.infer<typeof n8nSettingsSchema>
