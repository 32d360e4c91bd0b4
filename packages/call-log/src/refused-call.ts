import type { LoggedError } from '@toolcrib/registry'

/** Tells whether a call ended before its tool ran; the invoker says so in the error's data. */
export function isRefused(end: { readonly error?: LoggedError | undefined }): boolean {
  return end.error?.data?.['toolRan'] === false
}
