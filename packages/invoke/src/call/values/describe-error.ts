import { type JsonObject, ToolError } from '@toolcrib/registry'

/** What is known of something that was thrown. */
export interface ErrorDescription {
  readonly name: string
  readonly message: string
  /** The error's own code, such as `ENOENT`. */
  readonly code?: string
  /** The `data` of a ToolError. */
  readonly data?: JsonObject
  /** Messages of the errors that led to it, nearest first. */
  readonly causes?: readonly string[]
}

const maxCauses = 5

/** Reads whatever was thrown without ever throwing: errors, texts, `undefined`, proxies that refuse to be read. */
export function describeError(error: unknown): ErrorDescription {
  if (typeof error !== 'object' || error === null)
    return {
      name: 'Error',
      message: typeof error === 'string' ? error : `${describePrimitive(error)} was thrown`,
    }
  const name = readText(error, 'name') ?? 'Error'
  const message = readText(error, 'message') ?? describeObject(error)
  const code = readText(error, 'code')
  const data = readData(error)
  const causes = readCauses(error)
  return {
    name,
    message: message === '' ? `${name} without a message` : message,
    ...(code !== undefined && { code }),
    ...(data !== undefined && { data }),
    ...(causes.length > 0 && { causes }),
  }
}

function describePrimitive(value: unknown): string {
  return typeof value === 'function' ? 'a function' : String(value)
}

function describeObject(error: object): string {
  try {
    const keys = Object.keys(error).slice(0, 10)
    return `an object that is no error was thrown${keys.length > 0 ? `, with ${keys.join(', ')}` : ''}`
  } catch {
    return 'an object that cannot be read was thrown'
  }
}

function read(target: object, key: string): unknown {
  try {
    return (target as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

function readText(target: object, key: string): string | undefined {
  const value = read(target, key)
  return typeof value === 'string' ? value : undefined
}

function readData(error: object): JsonObject | undefined {
  try {
    if (!ToolError.is(error)) return undefined
  } catch {
    return undefined
  }
  const data = read(error, 'data')
  return typeof data === 'object' && data !== null ? (data as JsonObject) : undefined
}

function readCauses(error: object): string[] {
  const causes: string[] = []
  const seen = new Set<unknown>([error])
  let cause = read(error, 'cause')
  while (cause !== undefined && causes.length < maxCauses && !seen.has(cause)) {
    seen.add(cause)
    const isObject = typeof cause === 'object' && cause !== null
    causes.push(
      isObject
        ? (readText(cause as object, 'message') ?? describeObject(cause as object))
        : describePrimitive(cause),
    )
    cause = isObject ? read(cause as object, 'cause') : undefined
  }
  return causes
}
