import { isAbsolute } from 'node:path'
import { toolPolicySchema } from '@toolcrib/policy'
import { z } from 'zod'

const milliseconds = z.int().positive().max(3_600_000).optional()
const bytes = z.int().positive().optional()
const texts = z.array(z.string().min(1).max(4_096)).min(1).max(1_000)
const wholePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine(isAbsolute, 'must be a whole path, such as /srv/agent')
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of an environment variable')

/** Where a secret may be sent; see the vault of `@toolcrib/policy`. */
const binding = {
  hosts: texts,
  methods: texts.optional(),
  paths: texts.optional(),
  headers: texts.optional(),
}

const shell = z.strictObject({
  enabled: z.boolean(),
  commands: texts.optional(),
  network: z.enum(['none', 'host']).optional(),
  containment: z.enum(['best', 'bubblewrap', 'namespace', 'process-group']).optional(),
  environment: z.array(variable).max(100).optional(),
  timeoutMs: milliseconds,
  maxOutputBytes: bytes,
  killAfterMs: milliseconds,
})

/**
 * What the person in charge of a host says about its built-in tools: the content of `tool-settings.json`. Everything may be left
 * out; what is unknown is an error, so that a misspelt limit is never no limit.
 */
export const toolSettingsSchema = z.strictObject({
  workspace: wholePath.optional(),
  policy: toolPolicySchema
    .refine(({ tools }) => tools === undefined, {
      path: ['tools'],
      message: 'is no power of built-in tools: they call no other tools',
    })
    .optional(),
  file: z
    .strictObject({ enabled: z.boolean().optional(), timeoutMs: milliseconds, maxReadBytes: bytes })
    .optional(),
  http: z
    .strictObject({
      enabled: z.boolean().optional(),
      timeoutMs: milliseconds,
      retries: z.int().nonnegative().max(10).optional(),
    })
    .optional(),
  shell: shell.optional(),
  sql: z
    .strictObject({
      enabled: z.boolean().optional(),
      readOnly: z.boolean().optional(),
      timeoutMs: milliseconds,
      maxRows: z.int().positive().optional(),
      maxBytes: bytes,
    })
    .optional(),
  secrets: z
    .record(
      z.string(),
      z.union(
        [
          z.strictObject({ environment: variable, ...binding }),
          z.strictObject({ file: wholePath, ...binding }),
        ],
        'needs "environment" (the name of a variable) or "file" (a whole path), and "hosts"; beside them it may have "methods", "paths" and "headers", each a list. A value never stands in the settings',
      ),
    )
    .optional(),
})

/** The content of `tool-settings.json`. */
export type ToolSettings = z.infer<typeof toolSettingsSchema>
