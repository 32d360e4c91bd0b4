import type { Logger } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'

/** Looks again and again at what lives outside of made tools; a look that takes longer than the pause delays the next one. */
export interface RegularInspection {
  /** Begins no more, and waits for the one that runs. */
  stop(): Promise<void>
}

/**
 * Looks every so often whether somebody changed what lives outside of made tools, so that a changed tool is held although nobody
 * calls it. Keeps no process alive.
 */
export function inspectRegularly(
  toolsmaker: Pick<Toolsmaker, 'inspectTools'>,
  { everyMs, logger }: { readonly everyMs: number; readonly logger: Logger },
): RegularInspection {
  const controller = new AbortController()
  let running: Promise<void> | undefined
  const inspect = async (): Promise<void> => {
    try {
      const inspections = await toolsmaker.inspectTools({ signal: controller.signal })
      for (const { name, version, ...found } of inspections)
        if (found.state === 'changed')
          logger.warn(
            { tool: name, version, reason: found.reason },
            'What lives outside of a made tool was changed; the tool is held',
          )
    } catch (error) {
      if (!controller.signal.aborted)
        logger.warn({ error }, 'What lives outside of made tools could not be looked at')
    }
  }
  const timer = setInterval(() => {
    running ??= inspect().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      controller.abort()
      await running
    },
  }
}
