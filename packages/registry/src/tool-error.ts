import type { ToolErrorCode } from './error-catalogue.ts'
import type { JsonObject } from './json-value.ts'

const brand: unique symbol = Symbol.for('toolcrib.ToolError') as never

/** What can be given beside a code and a message. */
export interface ToolErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown
  /** Facts that a program can read; must be JSON. */
  readonly data?: JsonObject
}

/**
 * The one error class of the toolkit. Other packages widen `Code` with literals of their own.
 *
 * @example
 * try { registry.register(tool) }
 * catch (error) { if (ToolError.is(error, 'TOOL_EXISTS')) registry.replace(tool) }
 */
export class ToolError<Code extends string = ToolErrorCode> extends Error {
  override readonly name: string = 'ToolError'
  /** Says what happened; stable, to be matched on. */
  readonly code: Code
  /** Facts that a program can read. */
  readonly data: JsonObject

  constructor(code: Code, message: string, options: ToolErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.data = options.data ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  /** Tells whether a value is a ToolError, from any installed copy of this package, and of that code if one is given. */
  static is<Code extends string = string>(value: unknown, code?: Code): value is ToolError<Code> {
    if (typeof value !== 'object' || value === null) return false
    try {
      const { code: found, message } = value as { code?: unknown; message?: unknown }
      const isError = brand in value && typeof found === 'string' && typeof message === 'string'
      return isError && (code === undefined || found === code)
    } catch {
      // A proxy or a getter threw; what a tool throws may be anything.
      return false
    }
  }

  /** The error as JSON, without stack and cause. */
  toJSON(): { name: string; code: Code; message: string; data: JsonObject } {
    return { name: this.name, code: this.code, message: this.message, data: this.data }
  }
}
