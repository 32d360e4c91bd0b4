import { mkdirSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DataFolder } from '../host/data-folder.ts'
import { defaultWorkspace, isWithin, realPath } from './workspace.ts'

/** Files of the data folder that may not be there yet. */
const laterFiles = ['host.log', 'host.sock', '.lock.json', '.lock.sqlite', 'tools'] as const

/**
 * Every place of the host that no tool may see: the whole data folder, or, when the workspace lies in it, everything else that
 * is or will be in it; and the trust folder.
 */
export function listHostPaths(folder: DataFolder, workspace: string): readonly string[] {
  const root = realPath(folder.root)
  const outside = [folder.trust, dirname(folder.socket)].filter(
    (path) => !isWithin(root, realPath(path)),
  )
  if (!isWithin(root, realPath(workspace))) return [root, ...outside]
  // What is there is held by the guards, so that it stays denied wherever it is moved.
  for (const path of [
    folder.store,
    folder.database,
    folder.agentDatabase,
    folder.dynamicTools,
    folder.trust,
  ])
    mkdirSync(path, { recursive: true, mode: 0o700 })
  const keep = basename(defaultWorkspace(folder))
  const names = new Set([...laterFiles, ...readdirSync(root)])
  names.delete(keep)
  return [...[...names].map((name) => join(root, name)), ...outside]
}
