import { z } from 'zod'
import type { FileFacts } from '@toolcrib/policy/files'
import { type EncodingName, encodingNames } from './file-encoding.ts'
import { type FileOperation, fileOperations } from './file-input.ts'

/** What is known about a file or folder, for a model. */
export interface ShownFacts extends Omit<FileFacts, 'mode'> {
  /** Octal, such as `0644`. */
  readonly mode: string
}

/** An entry of a folder, for a model; without facts where it went away meanwhile, or its name is not valid Unicode. */
export type ShownEntry = { readonly name: string } | (ShownFacts & { readonly name: string })

/** What the file tool gives. */
export interface FileOutput {
  readonly operation: FileOperation
  readonly path: string
  readonly result: string | boolean | readonly string[] | readonly ShownEntry[] | ShownFacts
  readonly encoding?: EncodingName | undefined
  readonly bytes?: number | undefined
  readonly truncated?: boolean | undefined
  readonly nextOffset?: number | undefined
  readonly fileBytes?: number | undefined
}

const facts = z.object({
  type: z.enum(['file', 'folder', 'link', 'other']),
  bytes: z.int(),
  modifiedAt: z.string().describe('ISO 8601'),
  mode: z.string().describe('permission bits in octal, such as 0644'),
})

/** Describes a {@link FileOutput}. */
export const fileOutputSchema: z.ZodType<FileOutput> = z.object({
  operation: z.enum(fileOperations),
  path: z.string(),
  result: z
    .union([
      z.string(),
      z.boolean(),
      z.array(z.string()),
      z.array(z.union([facts.extend({ name: z.string() }), z.object({ name: z.string() })])),
      facts,
    ])
    .describe('read: the text; exists: whether; list: names, or details; stat: facts; else true'),
  encoding: z.enum(encodingNames).optional(),
  bytes: z.int().optional().describe('read: how many bytes of the file stand in result'),
  truncated: z.boolean().optional().describe('read: the file goes on; list: there are more'),
  nextOffset: z.int().optional().describe('read: where it goes on'),
  fileBytes: z.int().optional().describe('read of a range: the size of the file'),
})
