import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { builtInToolError } from './error-catalogue.ts'

/**
 * Makes a folder for the agent's files, mode 0700, if it is missing; gives its real path.
 *
 * @throws {ToolError} FOLDER_INVALID when it is no folder and cannot be made one.
 */
export function openWorkspace(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    return realpathSync(folder)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw builtInToolError(
      'FOLDER_INVALID',
      `workspace: ${JSON.stringify(folder)} cannot be used as a folder: ${reason}. Name a folder that can be written.`,
      { cause },
    )
  }
}
