import type { JsonObject, ToolRisk } from '@toolcrib/registry'
import { z } from 'zod'
import { toolCapabilities, type ToolCapability } from '@toolcrib/toolsmaker'
import type { ToolExample, ToolRunLimits } from '@toolcrib/toolsmaker'
import type { CodeLimits } from '../code-definition.ts'

/** What a file may say in `export const toolcrib`, beside what the tool itself says. Each field is checked again as a proposal. */
export interface ToolFileSettings {
  /** For the form `function`; a factory says it in `tool({ … })`. */
  readonly description?: string | undefined
  /** JSON Schema, or zod source as text. A file that says it is of the form `function`. */
  readonly inputSchema?: string | JsonObject | undefined
  /** JSON Schema, or zod source as text. */
  readonly outputSchema?: string | JsonObject | undefined
  /** One line about a call, with `${input.field}` for values. @default what `getHumanReadableContent` says */
  readonly humanReadableFormat?: string | undefined
  readonly capabilities?: readonly ToolCapability[] | undefined
  readonly allowedPaths?: readonly string[] | undefined
  readonly allowedDomains?: readonly string[] | undefined
  readonly secrets?: readonly string[] | undefined
  readonly callees?: readonly string[] | undefined
  readonly risk?: ToolRisk | undefined
  readonly limits?: (ToolRunLimits & CodeLimits) | undefined
  readonly examples?: readonly ToolExample[] | undefined
}

const schema = z.union([z.string(), z.record(z.string(), z.unknown())]).optional()
const texts = z.array(z.string()).max(50).optional()
const amount = z.int().positive().optional()

/** Reads {@link ToolFileSettings}; what it does not know is an error. */
export const toolFileSettingsSchema: z.ZodType<ToolFileSettings> = z.strictObject({
  description: z.string().optional(),
  inputSchema: schema,
  outputSchema: schema,
  humanReadableFormat: z.string().min(1).max(1_000).optional(),
  capabilities: z.array(z.enum(toolCapabilities)).max(toolCapabilities.length).optional(),
  allowedPaths: texts,
  allowedDomains: texts,
  secrets: texts,
  callees: texts,
  risk: z.enum(['low', 'medium', 'high']).optional(),
  limits: z
    .strictObject({
      timeoutMs: amount,
      maxInputBytes: amount,
      maxOutputBytes: amount,
      maxConcurrent: amount,
      cpuMs: amount,
      memoryBytes: amount,
      maxHostCalls: z.int().nonnegative().optional(),
    })
    .optional(),
  examples: z
    .array(
      z.strictObject({
        input: z.record(z.string(), z.unknown()),
        expected: z.unknown().optional(),
        fixtures: z
          .array(
            z.strictObject({
              operation: z.string(),
              argument: z.unknown().optional(),
              result: z.unknown().optional(),
              error: z.string().optional(),
            }),
          )
          .optional(),
        note: z.string().optional(),
      }),
    )
    .max(50)
    .optional(),
}) as unknown as z.ZodType<ToolFileSettings>
