import type { GuestPosition, SandboxFailure, SandboxFailureReason } from '../sandbox.ts'

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
function findPosition(stack: string): GuestPosition | undefined {
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
 * @param fallback where it is neither memory nor stack
 */
export function readDescription(
  text: string,
  fallback: { readonly reason: 'guest-error' | 'load'; readonly isMemoryFull: boolean },
): SandboxFailure {
  const { kind, name, message, stack } = parse(text)
  // Where no memory is left for an error, the engine throws null.
  if (kind === 'null' && fallback.isMemoryFull) return failure('memory', 'out of memory')
  const position = findPosition(stack)
  return {
    ...failure(
      reasonOf(kind, message) ?? fallback.reason,
      message === '' ? name || 'No message' : message,
    ),
    ...(name === '' ? undefined : { errorName: name.slice(0, maxNameLength) }),
    ...(position === undefined ? undefined : { position }),
  }
}

const memoryMessages: ReadonlySet<string> = new Set(['out of memory', 'string too long'])

function reasonOf(kind: string, message: string): 'memory' | 'stack' | undefined {
  if (kind === 'internal' && memoryMessages.has(message)) return 'memory'
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
