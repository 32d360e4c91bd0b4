import { ToolError } from '@toolcrib/registry'
import { toolsmakerError } from '../error-catalogue.ts'

const fullDisk: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Turns an error of the file system into a typed one; typed ones stay as they are. */
export function storeWriteError(error: unknown, what: string): unknown {
  const code: unknown = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  if (ToolError.is(error) || code === 'FOLDER_LOCKED' || code === 'FOLDER_UNUSABLE') return error
  const reason = error instanceof Error ? error.message : String(error)
  return fullDisk.has(code)
    ? toolsmakerError('STORE_FULL', `${what}: the disk is full (${reason}). Free some space.`, {
        cause: error,
      })
    : toolsmakerError('STORE_WRITE_FAILED', `${what}: ${reason}.`, { cause: error })
}
