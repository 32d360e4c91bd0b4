import { z } from 'zod'
import { encodingNames } from './file-encoding.ts'

/** What the file tool can do. */
export const fileOperations = [
  'read',
  'write',
  'append',
  'delete',
  'exists',
  'list',
  'stat',
  'move',
  'copy',
  'mkdir',
] as const

/** One of {@link fileOperations}. */
export type FileOperation = (typeof fileOperations)[number]

/** An input of the file tool. */
export interface FileInput {
  readonly operation: FileOperation
  readonly path: string
  readonly content?: string | undefined
  readonly encoding?: string | undefined
  readonly to?: string | undefined
  readonly offset?: number | undefined
  readonly length?: number | undefined
  readonly details?: boolean | undefined
  readonly createParents?: boolean | undefined
  readonly overwrite?: boolean | undefined
}

const path = z.string().min(1).max(4_096)
const byteCount = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER)

// One flat object rather than a union: MCP and the APIs of models want an object at the top of an input schema.
const fields = z.strictObject({
  operation: z.enum(fileOperations),
  path: path.describe('Relative to the workspace, or absolute'),
  content: z.string().optional().describe('write, append: what to write'),
  encoding: z
    .string()
    .max(100)
    .optional()
    .describe(
      `read, write, append: ${encodingNames.join(', ')}. Default utf-8; base64 and hex carry any bytes`,
    ),
  to: path.optional().describe('move, copy: where to'),
  offset: byteCount
    .optional()
    .describe('read: where to begin, in bytes; nextOffset of the last read goes on'),
  length: byteCount.min(1).optional().describe('read: how many bytes at most'),
  details: z.boolean().optional().describe('list: type, size, time and mode of each entry'),
  createParents: z
    .boolean()
    .optional()
    .describe('write, append, move, copy, mkdir: make missing folders. Default true'),
  overwrite: z
    .boolean()
    .optional()
    .describe('write, move, copy: replace what is there. Default true for write, else false'),
})

type OptionalField = Exclude<keyof FileInput, 'operation' | 'path'>

const usedBy: Readonly<Record<OptionalField, readonly FileOperation[]>> = {
  content: ['write', 'append'],
  encoding: ['read', 'write', 'append'],
  to: ['move', 'copy'],
  offset: ['read'],
  length: ['read'],
  details: ['list'],
  createParents: ['write', 'append', 'move', 'copy', 'mkdir'],
  overwrite: ['write', 'move', 'copy'],
}
const required: ReadonlySet<string> = new Set(['content', 'to'])

/** Reads an input; a field that the operation has no use for is refused, for it would be passed over in silence. */
export const fileInputSchema: z.ZodType<FileInput> = fields.superRefine((input, context) => {
  for (const [field, operations] of Object.entries(usedBy) as [OptionalField, FileOperation[]][]) {
    const isUsed = operations.includes(input.operation)
    const isGiven = input[field] !== undefined
    if (isGiven && !isUsed)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `${input.operation} has no use for it; it belongs to ${operations.join(', ')}. Leave it out`,
      })
    if (!isGiven && isUsed && required.has(field))
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `${input.operation} needs it${field === 'content' ? ' ("" for nothing)' : ''}`,
      })
  }
})
