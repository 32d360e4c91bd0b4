const brand: unique symbol = Symbol.for('toolcrib.ContentOutput') as never

/** One piece of rich output, in the shape that MCP gives it. Binary data is base64. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly description?: string
      readonly mimeType?: string
    }

/** Output that is not a plain value: blocks for a model or an MCP client, and a value for programs. */
export interface ContentOutput<Value = unknown> {
  readonly content: readonly ContentBlock[]
  /** The same result as a plain value, checked against the output schema. */
  readonly structuredContent?: Value
}

/**
 * Marks blocks as the whole output of a tool, so that images, audio and links reach MCP clients and models intact.
 *
 * @example
 * execute: async () => contentOutput([{ type: 'image', data: base64, mimeType: 'image/png' }])
 */
export function contentOutput<Value = undefined>(
  content: readonly ContentBlock[],
  structuredContent?: Value,
): ContentOutput<Value> {
  const output =
    structuredContent === undefined
      ? { content }
      : { content, structuredContent: structuredContent }
  return Object.freeze(Object.defineProperty(output, brand, { value: true }))
}

/** Tells whether a tool's output was made with {@link contentOutput}, by any installed copy of this package. */
export function isContentOutput(value: unknown): value is ContentOutput {
  if (typeof value !== 'object' || value === null) return false
  try {
    return brand in value && Array.isArray((value as { content?: unknown }).content)
  } catch {
    // A proxy or a getter threw; what a tool gives may be anything.
    return false
  }
}
