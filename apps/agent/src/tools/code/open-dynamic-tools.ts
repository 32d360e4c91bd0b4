import { readdir } from 'node:fs/promises'
import type { DynamicToolService } from '@toolcrib/factory'
import type { Logger } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import type { CodeTools } from './open-code-tools.ts'

/** What the dynamic folder of a host works with. */
export interface DynamicToolsPlace {
  readonly directory: string
  readonly toolsmaker: Toolsmaker
  readonly code: CodeTools
  readonly logger: Logger
  /** Whether files are watched for as long as the host runs; else they are read once. */
  readonly watch: boolean
}

/** How long a host that does not watch waits for new files to become proposals, in milliseconds. */
const readOnceMs = 10_000

/**
 * Makes the files of the dynamic folder proposals. A host that only runs one command does so before the command, and does nothing at
 * all where no file is or was there.
 */
export async function openDynamicTools(
  place: DynamicToolsPlace,
): Promise<DynamicToolService | undefined> {
  const { code, directory, logger, toolsmaker, watch } = place
  if (!code.standing.isOn || (!watch && !(await hasWork(place)))) return undefined
  // Loaded when it is needed: most commands find no file.
  const { createDynamicToolService } = await import('@toolcrib/factory')
  const { sandbox, findModule } = code
  const service = createDynamicToolService({ toolsmaker, sandbox, directory, findModule, logger })
  await service.initialize()
  if (!watch) await waitUntilRead(service, logger)
  return service
}

async function waitUntilRead(service: DynamicToolService, logger: Logger): Promise<void> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), readOnceMs)
  try {
    await service.whenIdle({ signal: patience.signal })
  } catch (error) {
    logger.warn({ error }, 'Not every file of the dynamic folder could be read in time')
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a file is there, or a tool is in use or waits whose file may be gone. */
async function hasWork({ directory, toolsmaker }: DynamicToolsPlace): Promise<boolean> {
  const files = await readdir(directory).catch(() => [])
  return (
    files.length > 0 ||
    toolsmaker
      .listVersions()
      .some(
        ({ kind, name, status, version }) =>
          kind === 'code' &&
          (status === 'activated' || status === 'approval_required') &&
          toolsmaker.getSpec(name, version)?.provenance?.['source'] === 'dynamic-file',
      )
  )
}
