import { isAbsolute } from 'node:path'
import { toolPolicySchema } from '@toolcrib/policy'
import { z } from 'zod'
import { n8nSettingsSchema } from './n8n-settings.ts'

/** Where code tools can run. */
export const sandboxModes = ['worker', 'process', 'bubblewrap'] as const

const milliseconds = z.int().positive().max(3_600_000).exactOptional()
const bytes = z.int().positive().exactOptional()
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
  methods: texts.exactOptional(),
  paths: texts.exactOptional(),
  headers: texts.exactOptional(),
}

/** Without `containment` commands run in a sandbox or not at all: to run them without one must be written down. */
const shell = z.strictObject({
  enabled: z.boolean(),
  commands: texts.exactOptional(),
  readable: z.array(wholePath).max(100).exactOptional(),
  network: z.enum(['none', 'host']).exactOptional(),
  containment: z.enum(['bubblewrap', 'namespace', 'process-group']).exactOptional(),
  environment: z.array(variable).max(100).exactOptional(),
  timeoutMs: milliseconds,
  maxOutputBytes: bytes,
  killAfterMs: milliseconds,
})

/** Code tools are made by agents and approved one by one; this is what all of them are held to. */
const code = z.strictObject({
  enabled: z.boolean().exactOptional(),
  policy: toolPolicySchema.exactOptional(),
  sandbox: z
    .strictObject({
      mode: z.enum(sandboxModes).exactOptional(),
      maxWorkers: z.int().min(1).max(64).exactOptional(),
    })
    .exactOptional(),
  typeCheck: z.boolean().exactOptional(),
})

/**
 * What the person in charge of a host says about its built-in tools, code tools and n8n tools: the content of `tool-settings.json`. Everything may be left
 * out; what is unknown is an error, so that a misspelt limit is never no limit.
 */
export const toolSettingsSchema = z.strictObject({
  workspace: wholePath.exactOptional(),
  policy: toolPolicySchema
    .refine(({ tools }) => tools === undefined, {
      path: ['tools'],
      message: 'is no power of built-in tools: they call no other tools',
    })
    .exactOptional(),
  file: z
    .strictObject({
      enabled: z.boolean().exactOptional(),
      timeoutMs: milliseconds,
      maxReadBytes: bytes,
    })
    .exactOptional(),
  http: z
    .strictObject({
      enabled: z.boolean().exactOptional(),
      timeoutMs: milliseconds,
      retries: z.int().nonnegative().max(10).exactOptional(),
    })
    .exactOptional(),
  shell: shell.exactOptional(),
  sql: z
    .strictObject({
      enabled: z.boolean().exactOptional(),
      readOnly: z.boolean().exactOptional(),
      timeoutMs: milliseconds,
      maxRows: z.int().positive().exactOptional(),
      maxBytes: bytes,
    })
    .exactOptional(),
  code: code.exactOptional(),
  n8n: n8nSettingsSchema.exactOptional(),
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
    .exactOptional(),
})

/** The content of `tool-settings.json`. */
export type ToolSettings = z.infer<typeof toolSettingsSchema>
