import { assertToolName } from '@toolcrib/registry'
import { z } from 'zod'
import { showQuoted } from './describe-text.ts'
import { readOriginPattern } from './origin-pattern.ts'
import { describePathProblem, normalisePath } from './policy-path.ts'
import { readAddressRange } from '../addresses/private-range.ts'

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

/** What holds where a policy gives no limit. */
export const defaultLimits = {
  fileBytes: 1_048_576,
  requestBytes: 1_048_576,
  responseBytes: 10_485_760,
  redirects: 10,
} as const

/** How many items each list of a policy may have. */
export const maxListItems = 100

/** Names that secrets may have. */
export const secretNamePattern: RegExp = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/

/** A list without repetitions, whose items are checked and compared in their best form. */
function list<Item>(item: z.ZodType<Item>, best: (item: Item) => string): z.ZodType<Item[]> {
  return z
    .array(item)
    .max(maxListItems)
    .superRefine((items, context) => {
      const seen = new Map<string, number>()
      for (const [index, entry] of items.entries()) {
        const text = best(entry)
        const first = seen.get(text)
        if (first === undefined) seen.set(text, index)
        else
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `says the same as item ${first}; leave one out`,
          })
      }
    })
}

/** A text of which `findProblem` finds nothing wrong. */
function checkedText(
  maxLength: number,
  findProblem: (text: string) => string | undefined,
): z.ZodType<string> {
  return z
    .string()
    .max(maxLength)
    .superRefine((value, context) => {
      const problem = value.length > maxLength ? undefined : findProblem(value)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
}

const some = <Item>(items: z.ZodType<Item[]>): z.ZodType<Item[]> =>
  items.refine((found) => found.length > 0, 'must not be empty; leave the capability out instead')

const bytes = z.int().positive().optional()
const path = checkedText(4_096, describePathProblem)
const origin = checkedText(300, (value) => onlyProblem(readOriginPattern(value)))
const addressRange = checkedText(100, (value) => onlyProblem(readAddressRange(value)))
const secretName = checkedText(128, (value) =>
  secretNamePattern.test(value)
    ? undefined
    : `${showQuoted(value)} is no name for a secret: letters, digits and "_.-", a letter or "_" first. Write for example "API_TOKEN".`,
)
const callee = z.strictObject({
  name: checkedText(64, findToolNameProblem),
  hash: checkedText(64, (value) =>
    /^[0-9a-f]{64}$/.test(value)
      ? undefined
      : `${showQuoted(value)} is no content hash: it has 64 digits of 0-9 and a-f; null allows every version.`,
  ).nullable(),
})
const files = z.strictObject({ paths: some(list(path, normalisePath)), maxBytes: bytes }).optional()

/** Reads a {@link ToolPolicy}; what it does not know is an error. {@link readToolPolicy} says it more readably. */
export const toolPolicySchema: z.ZodType<ToolPolicy> = z.strictObject({
  fs_read: files,
  fs_write: files,
  http: z
    .strictObject({
      origins: some(list(origin, (value) => bestText(readOriginPattern(value), value))),
      methods: some(list(z.enum(httpMethods), (method) => method)).optional(),
      privateAddresses: list(addressRange, (value) =>
        bestText(readAddressRange(value), value),
      ).optional(),
      maxRequestBytes: bytes,
      maxResponseBytes: bytes,
      maxRedirects: z.int().nonnegative().max(50).optional(),
    })
    .optional(),
  secrets: z.strictObject({ names: some(list(secretName, (name) => name)) }).optional(),
  tools: z
    .strictObject({
      callees: some(list(callee, ({ name, hash }) => `${name} ${String(hash)}`)),
    })
    .optional(),
})

function onlyProblem(outcome: object | string): string | undefined {
  return typeof outcome === 'string' ? outcome : undefined
}

function bestText(outcome: { readonly text: string } | string, otherwise: string): string {
  return typeof outcome === 'string' ? otherwise : outcome.text
}

function findToolNameProblem(name: string): string | undefined {
  try {
    assertToolName(name)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
