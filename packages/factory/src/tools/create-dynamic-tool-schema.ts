import type { JsonObject } from '@toolcrib/registry'
import {
  toolCapabilities,
  type ToolCapability,
  type ToolExample,
  type ToolRunLimits,
  type ToolStatus,
} from '@toolcrib/toolsmaker'
import type { CodeLimits } from '@toolcrib/kind-code'
import { z } from 'zod'
import { toolStatusSchema } from '../custom-tools/custom-tool-status.ts'

/** What `create_dynamic_tool` was asked for. */
export interface CreateDynamicToolInput {
  readonly name: string
  readonly description: string
  readonly inputSchema: string | JsonObject
  readonly implementation: string
  readonly humanReadableFormat?: string | undefined
  readonly outputSchema?: string | JsonObject | undefined
  readonly capabilities: readonly ToolCapability[]
  readonly allowedPaths: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly secrets: readonly string[]
  readonly callees: readonly string[]
  readonly examples: readonly ToolExample[]
  readonly limits: ToolRunLimits & CodeLimits
}

/** What `create_dynamic_tool` answers, beside what it does on failure. */
export interface CreateDynamicToolAnswer {
  readonly success: boolean
  readonly toolName: string
  readonly type?: 'code' | undefined
  readonly status?: ToolStatus | undefined
  readonly version?: number | undefined
  readonly contentHash?: string | undefined
  readonly review?: string | undefined
  readonly message?: string | undefined
  readonly error?: string | undefined
  readonly errorCode?: string | undefined
  readonly problems?: readonly string[] | undefined
  readonly warnings?: readonly string[] | undefined
}

/** One for all fields, so that its definition is shown to a model once. */
const json = z.json()
const schemaText =
  'zod source such as "z.object({ text: z.string() })" (evaluated in the sandbox; what JSON Schema cannot say, such as refine and ' +
  'transform, is refused), or a JSON Schema.'
const amount = z.int().positive().optional()

const exampleSchema = z.strictObject({
  input: z.record(z.string(), json).describe('An input that fits inputSchema.'),
  expected: json.optional().describe('What must come out, exactly. Leave it out where it varies.'),
  fixtures: z
    .array(
      z.strictObject({
        operation: z.string().describe('Such as "http.request", "fs.readText" or "tools.call".'),
        argument: json
          .optional()
          .describe('Answers only calls with these values, such as { "url": "…" }.'),
        result: json
          .optional()
          .describe(
            'The answer. For http.request: { "status": 200, "headers": {}, "text": "…" }; for fs.readText: { "text": "…" }.',
          ),
        error: z.string().max(1_000).optional().describe('Fails with this instead.'),
      }),
    )
    .max(100)
    .optional()
    .describe('What the host would answer: nothing outside is asked before a person approves.'),
  note: z.string().max(1_000).optional(),
})

/** The schema of {@link CreateDynamicToolInput}. */
export const createDynamicToolInput: z.ZodType<CreateDynamicToolInput> = z.strictObject({
  name: z
    .string()
    .describe(
      'Name of the new tool in snake_case, saying what it does, such as open_issues. At most 64 letters, digits, "_" and "-".',
    ),
  description: z
    .string()
    .describe('What the tool does and when to use it; models choose tools by this.'),
  inputSchema: z
    .union([z.string().max(65_536), z.record(z.string(), json)])
    .describe(`Schema of the input, an object: ${schemaText}`),
  implementation: z
    .string()
    .max(65_536)
    .describe(
      'The statements of an async TypeScript function: "input" and "ctx" are in scope, and it returns a JSON value. ctx.http.request({ url, ' +
        'method, headers, json }) gives { status, headers, text, json }, ctx.fs.readText(path) gives { text }, ctx.fs.writeText(path, text), ' +
        'ctx.secrets.ref(name) for a header, ctx.tools.call(name, input) gives its output, ctx.log(level, text), ctx.sleep(ms). No imports, no fetch, no process. Throw an Error to fail.',
    ),
  humanReadableFormat: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'One line about a call for people, such as "Processing: ${input.text}". Values are filled in; nothing is evaluated.',
    ),
  outputSchema: z
    .union([z.string().max(65_536), z.record(z.string(), json)])
    .optional()
    .describe('Schema of what it returns, in the same way.'),
  capabilities: z
    .array(z.enum(toolCapabilities))
    .max(toolCapabilities.length)
    .default([])
    .describe('What it needs beyond computing; each needs its list below.'),
  allowedPaths: z
    .array(z.string())
    .max(50)
    .default([])
    .describe('For fs_read and fs_write: files and folders.'),
  allowedDomains: z
    .array(z.string())
    .max(50)
    .default([])
    .describe('For http: hosts such as "api.example.com".'),
  secrets: z.array(z.string()).max(50).default([]).describe('For secrets: their names.'),
  callees: z.array(z.string()).max(50).default([]).describe('For tools: names of tools it calls.'),
  examples: z
    .array(exampleSchema)
    .max(50)
    .default([])
    .describe('Calls to try before a person decides. At least one; all must pass.'),
  limits: z
    .strictObject({
      timeoutMs: amount,
      cpuMs: amount,
      memoryBytes: amount,
      maxHostCalls: z.int().nonnegative().optional(),
      maxOutputBytes: amount,
    })
    .default({}),
}) as unknown as z.ZodType<CreateDynamicToolInput>

/** The schema of {@link CreateDynamicToolAnswer}. */
export const createDynamicToolOutput: z.ZodType<CreateDynamicToolAnswer> = z.object({
  success: z.boolean(),
  toolName: z.string(),
  type: z.literal('code').optional(),
  status: toolStatusSchema.optional(),
  version: z.number().optional(),
  contentHash: z.string().optional(),
  review: z.string().optional().describe('Where a person finds the review.'),
  message: z.string().optional().describe('What happens next.'),
  error: z.string().optional().describe('What is wrong and what to do.'),
  errorCode: z.string().optional(),
  problems: z
    .array(z.string())
    .optional()
    .describe(
      'Everything that is wrong, one by one; lines and columns are those of implementation.',
    ),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What is probably a mistake; it refuses nothing.'),
})
