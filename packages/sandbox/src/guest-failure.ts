import type { GuestPosition, SandboxFailure, SandboxFailureReason } from './sandbox.ts'

/** The name of a guest's own module in its stack traces. */
export const moduleFileName = 'tool.js'
/** Stands before the names of imports, so that none of them can be the module itself. */
export const importPrefix = 'import:'

const maxMessageLength = 4096
const maxNameLength = 100

export function failure(reason: SandboxFailureReason, message: string): SandboxFailure {
  return { ok: false, reason, message: message.slice(0, maxMessageLength) }
}

/** Where a stack trace first names the guest's source. */
export function findPosition(stack: string): GuestPosition | undefined {
  for (const line of stack.slice(0, 8192).split('\n')) {
    const found = /(?:^|[\s(])(tool\.js|import:[^\s()]{1,300}):(\d{1,9}):(\d{1,9})\)?$/.exec(line)
    if (found === null) continue
    const [, file = '', lineNumber, column] = found
    const position = { line: Number(lineNumber), column: Number(column) }
    if (file === moduleFileName) return position
    return { module: file.slice(importPrefix.length), ...position }
  }
  return undefined
}

interface Description {
  readonly kind: string
  readonly name: string
  readonly message: string
  readonly stack: string
}

/**
 * What the prelude's `describe` says of an error, as a failure.
 *
 * @param reason where it is neither memory nor stack
 */
export function readDescription(text: string, reason: 'guest-error' | 'load'): SandboxFailure {
  const { kind, name, message, stack } = parse(text)
  const position = findPosition(stack)
  return {
    ...failure(reasonOf(kind, message) ?? reason, message === '' ? name || 'No message' : message),
    ...(name === '' ? undefined : { errorName: name.slice(0, maxNameLength) }),
    ...(position === undefined ? undefined : { position }),
  }
}

function reasonOf(kind: string, message: string): 'memory' | 'stack' | undefined {
  if (kind === 'internal' && message === 'out of memory') return 'memory'
  if (kind === 'range' && message === 'Maximum call stack size exceeded') return 'stack'
  return undefined
}

function parse(text: string): Description {
  const found = JSON.parse(text) as Partial<Record<keyof Description, unknown>>
  const of = (key: keyof Description): string => {
    const value = found[key]
    return typeof value === 'string' ? value : ''
  }
  return { kind: of('kind'), name: of('name'), message: of('message'), stack: of('stack') }
}
