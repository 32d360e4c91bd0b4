import type { FileGuard } from '@toolcrib/policy/files'
import { builtInToolError } from '../error-catalogue.ts'
import {
  type EncodingName,
  decodeBytes,
  readEncodingName,
  startsInsideCharacter,
  unfinishedBytes,
} from './file-encoding.ts'
import type { FileInput } from './file-input.ts'

/** What a read gives. */
export interface FileText {
  readonly result: string
  readonly encoding: EncodingName
  /** How many bytes of the file stand in `result`. */
  readonly bytes: number
  /** The file goes on after them. */
  readonly truncated?: boolean
  /** Where it goes on. */
  readonly nextOffset?: number
  readonly fileBytes?: number
}

/** What a read is done with. */
export interface ReadTextOptions {
  readonly guard: FileGuard
  readonly maxReadBytes: number
  readonly signal: AbortSignal
}

/**
 * Reads a file or a range of it as text; never more than the limit, never half a character.
 *
 * @throws {ToolError} ENCODING_UNSUPPORTED, ENCODING_MISMATCH, RANGE_INVALID, and what the guard throws.
 */
export async function readText(input: FileInput, options: ReadTextOptions): Promise<FileText> {
  const { path, offset = 0 } = input
  const { guard, maxReadBytes, signal } = options
  const encoding = readEncodingName(input.encoding)
  const length = Math.min(input.length ?? maxReadBytes, maxReadBytes)
  const found = await guard.readFile(path, { signal, offset, length })
  const isRange = input.offset !== undefined || input.length !== undefined
  if (!isRange && found.length < length)
    return { result: decodeBytes(found, encoding), encoding, bytes: found.length }

  const fileBytes = (await guard.stat(path, { signal }))?.bytes ?? offset + found.length
  assertStart(found, { offset, fileBytes, encoding })
  const goesOn = offset + found.length < fileBytes
  const bytes = goesOn ? found.subarray(0, found.length - unfinishedBytes(found, encoding)) : found
  if (bytes.length === 0 && goesOn)
    throw rangeInvalid('length', `${length} is less than the next character takes. Use 4 or more.`)
  return {
    result: decodeBytes(bytes, encoding),
    encoding,
    bytes: bytes.length,
    truncated: goesOn,
    ...(goesOn ? { nextOffset: offset + bytes.length } : {}),
    fileBytes,
  }
}

function assertStart(
  found: Uint8Array,
  {
    offset,
    fileBytes,
    encoding,
  }: { readonly offset: number; readonly fileBytes: number; readonly encoding: EncodingName },
): void {
  if (offset > fileBytes)
    throw rangeInvalid('offset', `${offset} lies behind the end of the file at ${fileBytes}.`)
  if (startsInsideCharacter(found, offset, encoding))
    throw rangeInvalid(
      'offset',
      `${offset} stands inside a character of ${encoding}. Use the nextOffset of the read before, a slightly smaller offset, or encoding base64.`,
    )
}

function rangeInvalid(field: 'offset' | 'length', problem: string): Error {
  return builtInToolError('RANGE_INVALID', `${field}: ${problem}`, { data: { field } })
}
