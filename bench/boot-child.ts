/** One start of a host's made tools, timed in a process that has done nothing else. Prints a {@link BootTimes}. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createComputeKind } from '@toolcrib/kind-compute'
import { ToolRegistry } from '@toolcrib/registry'
import { createToolsmaker, openFileEventStore, openTrustDirectory } from '@toolcrib/toolsmaker'
import { bootFoldersIn } from './boot-store.ts'

/** Milliseconds. */
export interface BootTimes {
  readonly openMs: number
  readonly loadMs: number
  /** Reading the log and parsing each of its lines, and nothing else. */
  readonly parseMs: number
  readonly registered: number
}

if (import.meta.main) {
  const folders = bootFoldersIn(process.argv[2] ?? '')
  // Once before and once after, because the first of two readers finds everything cold.
  const parseBefore = await parseLog(folders.store)
  const begin = performance.now()
  const trust = await openTrustDirectory(folders.trust)
  const store = await openFileEventStore({ directory: folders.store })
  const registry = new ToolRegistry()
  const kinds = [createComputeKind()]
  const toolsmaker = await createToolsmaker({ store, trust, kinds, registry })
  const opened = performance.now()
  const { registered, refused } = await toolsmaker.loadActiveTools()
  const end = performance.now()
  if (refused.length > 0) throw new Error(`Refused: ${refused[0]?.name}, ${refused[0]?.reason}`)
  const times: BootTimes = {
    openMs: opened - begin,
    loadMs: end - opened,
    parseMs: (parseBefore + (await parseLog(folders.store))) / 2,
    registered,
  }
  process.stdout.write(JSON.stringify(times))
  await toolsmaker.close()
}

async function parseLog(folder: string): Promise<number> {
  const begin = performance.now()
  const text = await readFile(join(folder, 'audit.jsonl'), 'utf8')
  let rows = 0
  for (const line of text.split('\n')) if (line !== '' && JSON.parse(line) !== null) rows += 1
  if (rows === 0) throw new Error('The log is empty.')
  return performance.now() - begin
}
