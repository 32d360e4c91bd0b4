/** The part of pino's logger that the packages use; a pino logger can be passed as it is. */
export interface Logger {
  debug(data: object, message: string): void
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

const ignore = (): void => undefined

/** A logger that drops everything; the default where no logger is given. */
export const silentLogger: Logger = Object.freeze({
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
})
