import { type ContentBlock, isContentOutput } from './tool-content.ts'
import type { ToolErrorCode } from './error-catalogue.ts'
import type { JsonObject } from './json-value.ts'

/** The tool ran and its whole output is here. */
export interface ToolSuccess<Output = unknown> {
  readonly success: true
  readonly truncated: false
  readonly output: Output
  /** The output as JSON text, secrets removed: the same text that was logged and counted. */
  readonly outputText: string
  /** How long the tool took, in milliseconds; for a call that did not run, until it was refused. */
  readonly durationMs: number
  readonly callId: string
}

/** The tool ran, and its output was too large: here is its beginning, the whole can be read from the log by call id. */
export interface ToolTruncatedSuccess {
  readonly success: true
  readonly truncated: true
  readonly output?: undefined
  /** The first part of the output's JSON text, cut between characters; not valid JSON by itself. */
  readonly preview: string
  /** The size of the whole output's JSON text. */
  readonly outputBytes: number
  /** How long the tool took, in milliseconds; for a call that did not run, until it was refused. */
  readonly durationMs: number
  readonly callId: string
}

/** The tool did not run, or ran and failed. */
export interface ToolFailure {
  readonly success: false
  /** What happened, for a model or a person to act on. */
  readonly error: string
  readonly errorCode: ToolErrorCode
  /** Facts about the failure that a program can read, such as the issues of an invalid input. */
  readonly errorData?: JsonObject
  /** How long the tool took, in milliseconds; for a call that did not run, until it was refused. */
  readonly durationMs: number
  readonly callId: string
  /**
   * The tool was told to stop and had not stopped when this was reported, or what it started elsewhere may still run: a tool
   * says so with `data: { mayStillBeRunning: true }` in the ToolError that it throws.
   */
  readonly mayStillBeRunning?: true
}

/** The outcome of a call. A call never throws; its outcome is always one of these. */
export type ToolResult<Output = unknown> = ToolSuccess<Output> | ToolTruncatedSuccess | ToolFailure

/**
 * Any result as content blocks, for a model or an MCP client: rich output as it is, everything else as one text.
 */
export function resultContent(result: ToolResult): readonly ContentBlock[] {
  if (!result.success) return [{ type: 'text', text: result.error }]
  if (result.truncated) return [{ type: 'text', text: result.preview }]
  if (isContentOutput(result.output)) return result.output.content
  return [{ type: 'text', text: result.outputText }]
}
