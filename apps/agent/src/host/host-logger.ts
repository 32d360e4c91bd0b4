import type { Logger } from '@toolcrib/registry'
import { destination, pino } from 'pino'

/** Writes the host's log as JSON lines to a file, synchronously, so that nothing is lost when the process dies. */
export function createFileLogger(file: string, level = 'info'): Logger & { close(): void } {
  const target = destination({ dest: file, sync: true, mkdir: true, mode: 0o600 })
  const logger = pino(
    { level, base: { pid: process.pid }, serializers: { error: pino.stdSerializers.err } },
    target,
  )
  return {
    debug: (data, message) => logger.debug(data, message),
    info: (data, message) => logger.info(data, message),
    warn: (data, message) => logger.warn(data, message),
    error: (data, message) => logger.error(data, message),
    close: () => target.end(),
  }
}
