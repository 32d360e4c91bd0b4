import { dirname, join, resolve, sep } from 'node:path'
import { isDynamicFile } from './dynamic-file-name.ts'
import { factoryError } from '../error-catalogue.ts'

/**
 * The name of the file that a path means.
 *
 * @throws {ToolError} DYNAMIC_PATH_INVALID when it is not directly in the folder, or no TypeScript.
 */
export function fileInFolder(path: string, directory: string): string {
  const isName = !path.includes('/') && !path.includes(sep)
  const full = isName ? join(directory, path) : resolve(path)
  const file = full.slice(directory.length + 1)
  if (dirname(full) === directory && isDynamicFile(file)) return file
  throw factoryError(
    'DYNAMIC_PATH_INVALID',
    `${JSON.stringify(path.slice(0, 200))} is no TypeScript file directly in the folder of dynamic tools. Give its name, such as agent_ada_shipping_cost.ts.`,
  )
}

/** There is no room for a file. */
export function tooMany(path: string, maxFiles: number): Error {
  return factoryError(
    'DYNAMIC_PATH_INVALID',
    `The folder holds ${maxFiles} files already; ${JSON.stringify(path.slice(0, 200))} is left alone. Delete one, or raise maxFiles.`,
  )
}

/** The service is not running. */
export function stopped(): Error {
  return factoryError(
    'DYNAMIC_SERVICE_STOPPED',
    'The service of dynamic tools is not running. Call initialize() first.',
  )
}
