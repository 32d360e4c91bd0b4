import { createRedactor } from '@toolcrib/redaction'
import { ToolError } from '@toolcrib/registry'
import type { N8nErrorCode } from './error-catalogue.ts'

/** Takes keys out of whatever leaves the client. */
export interface KeyRedaction {
  /** From now on this is taken out as well. */
  learn(key: string): void
  redactText(text: string, more?: readonly string[]): string
  /** The error without what is secret, also in its data and cause; the same error where it holds none. */
  redactError<Failure>(error: Failure, more?: readonly string[]): Failure
}

/** Keys change now and then; one that was used long ago is forgotten. */
const maxKeys = 8

export function createKeyRedaction(): KeyRedaction {
  let keys: readonly string[] = []
  const ofKeys = createRedactor({ secrets: () => keys })
  const redactText: KeyRedaction['redactText'] = (text, more = []) => {
    const rest = ofKeys.redactText(text)
    return more.length === 0 ? rest : createRedactor({ secrets: more }).redactText(rest)
  }
  return {
    learn: (key) => {
      if (keys[0] !== key) keys = [key, ...keys.filter((known) => known !== key)].slice(0, maxKeys)
    },
    redactText,
    redactError: (error, more = []) => {
      if (!ToolError.is<N8nErrorCode>(error)) return error
      const data = JSON.stringify(error.data)
      const cause = error.cause === undefined ? undefined : plainCause(error.cause)
      return new ToolError(error.code, redactText(error.message, more), {
        data: JSON.parse(redactText(data, more)) as typeof error.data,
        ...(cause === undefined
          ? {}
          : {
              cause: Object.assign(new Error(redactText(cause.message, more)), {
                code: cause.code,
              }),
            }),
      }) as typeof error
    },
  }
}

/** What an error says, without what hangs on it: a transport may keep a request there, with its key. */
function plainCause(cause: unknown): { readonly message: string; readonly code: unknown } {
  const { message = String(cause), code } = cause as { message?: string; code?: unknown }
  return { message, code: typeof code === 'string' ? code : undefined }
}
