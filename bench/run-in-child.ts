import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs a script of this folder in a process of its own, with the flags of this one, and gives the JSON that it printed.
 * What was measured before would otherwise leave its heap and its type feedback behind.
 */
export async function runInChild(script: string, words: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, script), ...words],
    { maxBuffer: 16 * 1_024 * 1_024 },
  )
  return JSON.parse(stdout) as unknown
}
