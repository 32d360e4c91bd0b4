import { z } from 'zod'

/** The powers that a tool may have beyond computing. */
export const toolCapabilities = ['fs_read', 'fs_write', 'http', 'secrets', 'tools'] as const

/** One power that a tool may have. */
export type ToolCapability = (typeof toolCapabilities)[number]

/** Which files and folders, and how much of them. */
export interface FilePolicy {
  readonly paths: readonly string[]
  /** The largest file. @default 1_048_576 */
  readonly maxBytes?: number | undefined
}

/** Methods that a tool may use. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One of {@link httpMethods}. */
export type HttpMethod = (typeof httpMethods)[number]

/** What a tool may do over HTTP. */
export interface HttpPolicy {
  /**
   * `[scheme://]host[:port]`: https and its usual port unless said otherwise; `*.example.com` for all names below (not
   * itself); `*` for every public host; port `*` for every port.
   */
  readonly origins: readonly string[]
  /** @default all of `httpMethods` */
  readonly methods?: readonly HttpMethod[] | undefined
  /** Private, local or reserved addresses that may be reached all the same: `10.1.2.3` or `10.1.0.0/16`. @default none */
  readonly privateAddresses?: readonly string[] | undefined
  /** @default 1_048_576 */
  readonly maxRequestBytes?: number | undefined
  /** Decompressed. @default 10_485_760 */
  readonly maxResponseBytes?: number | undefined
  /** @default 10 */
  readonly maxRedirects?: number | undefined
}

/** What a tool may touch, as data. A capability that is absent is not given. */
export interface ToolPolicy {
  readonly fs_read?: FilePolicy | undefined
  readonly fs_write?: FilePolicy | undefined
  readonly http?: HttpPolicy | undefined
  readonly secrets?: { readonly names: readonly string[] } | undefined
  readonly tools?:
    | { readonly callees: readonly { readonly name: string; readonly hash: string | null }[] }
    | undefined
}

const bytes = z.int().positive().optional()
const files = z
  .strictObject({
    paths: z.array(z.string().min(1).max(4_096)).min(1).max(100),
    maxBytes: bytes,
  })
  .optional()

/** Reads a {@link ToolPolicy}; what it does not know is an error. */
export const toolPolicySchema: z.ZodType<ToolPolicy> = z.strictObject({
  fs_read: files,
  fs_write: files,
  http: z
    .strictObject({
      origins: z.array(z.string().min(1).max(300)).min(1).max(100),
      methods: z.array(z.enum(httpMethods)).min(1).optional(),
      privateAddresses: z.array(z.string().min(1).max(100)).max(100).optional(),
      maxRequestBytes: bytes,
      maxResponseBytes: bytes,
      maxRedirects: z.int().nonnegative().max(50).optional(),
    })
    .optional(),
  secrets: z.strictObject({ names: z.array(z.string()).min(1).max(100) }).optional(),
  tools: z
    .strictObject({
      callees: z
        .array(z.strictObject({ name: z.string(), hash: z.string().nullable() }))
        .min(1)
        .max(100),
    })
    .optional(),
})
