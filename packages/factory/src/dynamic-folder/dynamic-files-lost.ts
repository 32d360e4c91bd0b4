import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { readDynamicFileName } from './dynamic-file-name.ts'
import { dynamicFileOrigin } from './load-dynamic-file.ts'

/** Files of tools that wait or are in use, and that went while nobody watched. */
export function findLostFiles(
  toolsmaker: Pick<Toolsmaker, 'getSpec' | 'listVersions'>,
  present: ReadonlySet<string>,
): readonly string[] {
  const lost = new Set<string>()
  for (const { kind, name, status, version } of toolsmaker.listVersions()) {
    if (kind !== 'code' || (status !== 'approval_required' && status !== 'activated')) continue
    const origin = toolsmaker.getSpec(name, version)?.provenance
    const file = origin?.['file']
    if (origin?.['source'] !== dynamicFileOrigin || typeof file !== 'string') continue
    // What the record calls a file is only looked for in the folder.
    if (typeof readDynamicFileName(file) !== 'string' && !present.has(file) && !/[/\\]/.test(file))
      lost.add(file)
  }
  return [...lost]
}
