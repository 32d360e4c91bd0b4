import { basename } from 'node:path'
import type { Logger } from '@toolcrib/registry'
import type { FSWatcher } from 'chokidar'

/** How a folder is watched. */
export interface WatchFolderOptions {
  /** Looks again and again instead of being told; for network folders. */
  readonly usePolling: boolean
  /** How often it looks then, in milliseconds. */
  readonly pollIntervalMs: number
  readonly logger: Logger
  /** Something happened to a file directly in the folder. */
  readonly onFile: (file: string) => void
  /** The folder itself is gone. */
  readonly onFolderGone: () => void
}

/** A folder that is watched. */
export interface FolderWatch {
  close(): Promise<void>
}

/** Watches the files directly in a folder. Where the system has no more watches to give, it looks again and again. */
export async function watchFolder(
  directory: string,
  { logger, onFile, onFolderGone, pollIntervalMs, usePolling }: WatchFolderOptions,
): Promise<FolderWatch> {
  // Loaded when it is needed: most programs that can watch a folder watch none.
  const { watch } = await import('chokidar')
  let isClosed = false
  let current = await start(usePolling)
  async function start(polling: boolean): Promise<FSWatcher> {
    const watcher = watch(directory, {
      depth: 0,
      followSymlinks: false,
      ignoreInitial: true,
      ignorePermissionErrors: true,
      usePolling: polling,
      interval: pollIntervalMs,
    })
    watcher.on('all', (event, path) => {
      if (event === 'unlinkDir' && path === directory) onFolderGone()
      else if (event !== 'addDir' && event !== 'unlinkDir') onFile(basename(path))
    })
    watcher.on('error', (error) => {
      logger.warn({ error, directory }, 'The folder of dynamic tools cannot be watched well')
      if (!polling && isOutOfWatches(error)) void poll(watcher)
    })
    await new Promise<void>((resolve) => {
      watcher.once('ready', resolve)
      watcher.once('error', () => {
        resolve()
      })
    })
    return watcher
  }
  async function poll(instead: FSWatcher): Promise<void> {
    await instead.close()
    const next = await start(true)
    if (isClosed) await next.close()
    else current = next
  }
  return {
    close: async () => {
      isClosed = true
      await current.close()
    },
  }
}

function isOutOfWatches(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EMFILE'
}
