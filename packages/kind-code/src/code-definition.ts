import { z } from 'zod'

/** A module that a code tool imports: an approved version of another code tool, as it was when it was imported. */
export interface PinnedModule {
  /** `toolcrib:lib/<name>@<version>` */
  readonly specifier: string
  /** Content hash of that version. */
  readonly contentHash: string
  /** Its source in TypeScript, so that what runs is what was signed. */
  readonly source: string
}

/** What one call of a code tool may use up in the sandbox, beyond the limits that every kind has. */
export interface CodeLimits {
  /** Time for computing, in milliseconds; waiting does not count. @default the call's timeout */
  readonly cpuMs?: number
  /** @default 33_554_432 */
  readonly memoryBytes?: number
  /** @default 1_000 */
  readonly maxHostCalls?: number
}

/** The definition of a tool of kind `code`. */
export interface CodeDefinition {
  readonly language: 'typescript'
  /**
   * `function`: the default export is `(input, ctx) => value`. `factory`: it is `(context) => tool({ … })` of the AI SDK, with
   * `ai` and `zod` imported.
   */
  readonly form: 'function' | 'factory'
  /** The whole module in TypeScript that can be erased. Exactly these bytes are signed and run. */
  readonly source: string
  readonly modules?: readonly PinnedModule[]
  /** One line about a call for people, with `${input.field}` for values of the input. Filled in, never evaluated. */
  readonly humanReadableFormat?: string
  readonly limits?: CodeLimits
}

/** Reads a {@link CodeDefinition}; what it does not know is an error. */
export const codeDefinitionSchema: z.ZodType<CodeDefinition> = z.strictObject({
  language: z.literal('typescript'),
  form: z.enum(['function', 'factory']),
  source: z.string().min(1),
  modules: z
    .array(
      z.strictObject({
        specifier: z.string().regex(/^toolcrib:lib\/[a-zA-Z0-9_-]{1,64}@[1-9][0-9]{0,8}$/),
        contentHash: z.string().regex(/^[0-9a-f]{64}$/),
        source: z.string().min(1),
      }),
    )
    .max(20)
    .optional(),
  humanReadableFormat: z.string().min(1).max(1_000).optional(),
  limits: z
    .strictObject({
      cpuMs: z.int().positive().max(600_000).optional(),
      memoryBytes: z.int().min(2_097_152).max(268_435_456).optional(),
      maxHostCalls: z.int().nonnegative().max(100_000).optional(),
    })
    .optional(),
}) as unknown as z.ZodType<CodeDefinition>
