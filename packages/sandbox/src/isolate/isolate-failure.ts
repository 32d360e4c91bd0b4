import {
  failure,
  importPrefix,
  moduleFileName,
  readDescription,
} from '../guest-engine/guest-failure.ts'
import type { SandboxFailure } from '../sandbox.ts'

/** How V8 says that a buffer or a text does not fit any more. */
const memoryMessages: ReadonlySet<string> = new Set([
  'Array buffer allocation failed',
  'Invalid string length',
])

/** The other engine has a function for this, whose type it hides. */
const noFetch = 'fetch is not defined: use ctx.http.request'

/** What stands after the message of an error in the syntax. */
const place = /\s*\[([^\n[\]]{1,400}):(\d{1,9}):(\d{1,9})\]$/

/** What the guest says of an error, as a failure. */
export function readIsolateDescription(
  text: string,
  reason: 'guest-error' | 'load',
): SandboxFailure {
  const found = JSON.parse(text) as { readonly kind?: unknown; readonly message?: unknown }
  if (found.kind === 'range' && memoryMessages.has(String(found.message)))
    return failure('memory', 'out of memory')
  if (found.message === 'fetch is not defined')
    return { ...readDescription(text, { reason, isMemoryFull: false }), message: noFetch }
  return readDescription(text, { reason, isMemoryFull: false })
}

/** What went wrong while a module was loaded. The lower half of the stack is of this process and stays here. */
export function describeLoadError(error: unknown): SandboxFailure {
  const { name, message, stack } = toError(error)
  const found = place.exec(message)
  const file = found?.[1] ?? ''
  const isOfGuest = file === moduleFileName || file.startsWith(importPrefix)
  const guestStack = stack.slice(0, Math.max(0, stack.indexOf('(<isolated-vm boundary>)')))
  return readIsolateDescription(
    JSON.stringify({
      kind: name === 'RangeError' ? 'range' : '',
      name,
      message: found === null ? message : message.slice(0, found.index),
      stack: isOfGuest ? `at ${file}:${found?.[2]}:${found?.[3]}` : guestStack,
    }),
    'load',
  )
}

function toError(error: unknown): {
  readonly name: string
  readonly message: string
  readonly stack: string
} {
  if (!(error instanceof Error))
    return { name: '', message: `It threw ${String(error)}`, stack: '' }
  return {
    name: error.name.slice(0, 100),
    message: error.message.slice(0, 4096),
    stack: String(error.stack).slice(0, 8192),
  }
}
