import type { Redactor } from '@toolcrib/redaction'
import type { Logger } from '@toolcrib/registry'
import { copyAsPlainJson } from '../call/values/plain-json-copy.ts'

const limits = { maxNesting: 20, maxLength: 100_000 }

/** A logger whose lines hold no secrets and that never throws; tools get it, and the invoker uses it. */
export function createRedactingLogger(logger: Logger, redactor: Redactor): Logger {
  const write =
    (level: keyof Logger) =>
    (data: object, message: string): void => {
      try {
        logger[level](redactData(data, redactor), redactor.redactText(message))
      } catch {
        // A logger that fails must not fail the call that it reports on.
      }
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

function redactData(data: object, redactor: Redactor): object {
  try {
    const value = copyAsPlainJson(data, limits, true)
    const clean = redactor.redactJson(value, JSON.stringify(value))
    return JSON.parse(redactor.maskKeys(clean === undefined ? value : clean.value)) as object
  } catch {
    return { note: 'The data of this line could not be written.' }
  }
}
