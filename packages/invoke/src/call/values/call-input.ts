import type { ToolDefinition } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { countBytes, cutText, exceedsBytes } from './bounded-text.ts'
import type { InvokerSettings } from '../../invoker-settings.ts'
import { NotPlainJsonError, PlainWalk } from './plain-json.ts'
import { copyAsPlainJson } from './plain-json-copy.ts'

/** An input as the log gets it. */
export interface LoggedInput {
  readonly text: string
  readonly problem?: CallProblem
}

/**
 * Writes an input for the log, as it came from the caller and before a tool can change it. What JSON cannot hold is
 * described instead: whether the input will do is for its schema to say.
 *
 * @throws when secrets cannot be taken out of it.
 */
export function writeInput(
  input: unknown,
  tool: ToolDefinition,
  settings: InvokerSettings,
): LoggedInput {
  if (input === undefined) return { text: 'null' }
  const { redactor, outputLimits } = settings
  const maxInputBytes = effectiveLimit(tool, settings)
  const limits = { maxNesting: outputLimits.maxNesting, maxLength: maxInputBytes }
  const walk = new PlainWalk(limits, redactor.isSecretKey)
  let value: unknown = input
  try {
    if (!walk.isPlain(input)) {
      value = copyAsPlainJson(input, limits, true)
      walk.hasSecretKey = true
    }
  } catch (error) {
    if (error instanceof NotPlainJsonError && error.isTooLarge) return tooLarge(tool, settings)
    throw error
  }
  const text = JSON.stringify(value)
  if (exceedsBytes(text, maxInputBytes))
    return tooLarge(tool, settings, redactor.redactJson(value, text)?.text ?? text)
  const clean = redactor.redactJson(value, text)
  if (walk.hasSecretKey)
    return { text: redactor.maskKeys(clean === undefined ? value : clean.value) }
  return { text: clean === undefined ? text : clean.text }
}

function effectiveLimit(tool: ToolDefinition, settings: InvokerSettings): number {
  return Math.min(tool.maxInputBytes ?? settings.maxInputBytes, settings.maxInputBytes)
}

function tooLarge(tool: ToolDefinition, settings: InvokerSettings, text?: string): LoggedInput {
  const { previewBytes } = settings
  const maxInputBytes = effectiveLimit(tool, settings)
  const size = text === undefined ? `more than ${maxInputBytes}` : String(countBytes(text))
  const beginning = text === undefined ? '' : cutText(text, previewBytes)
  return {
    text: JSON.stringify({ inputTooLarge: `${size} bytes`, beginning }),
    problem: {
      code: 'INPUT_TOO_LARGE',
      message:
        `The input has ${size} bytes as JSON, at most ${maxInputBytes} are accepted (${describeLimits(tool, settings)}); ` +
        'the tool did not run. Pass less.',
      data: {
        maxInputBytes,
        invokerMaxInputBytes: settings.maxInputBytes,
        ...(tool.maxInputBytes !== undefined && { toolMaxInputBytes: tool.maxInputBytes }),
      },
    },
  }
}

function describeLimits(tool: ToolDefinition, settings: InvokerSettings): string {
  const own = tool.maxInputBytes === undefined ? 'no limit of its own' : `${tool.maxInputBytes}`
  return `"${tool.name}": ${own}, host: ${settings.maxInputBytes}`
}
