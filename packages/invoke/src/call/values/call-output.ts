import { contentOutput, isContentOutput } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { describeError } from './describe-error.ts'
import type { InvokerSettings } from '../../invoker-settings.ts'
import { PlainWalk } from './plain-json.ts'
import { copyAsPlainJson } from './plain-json-copy.ts'

/** An output, ready to be handed out and logged. */
export interface WrittenOutput {
  readonly value: unknown
  /** For the caller: secrets removed. */
  readonly text: string
  /** For the log: what stands under secret keys is hidden too. */
  readonly logText: string
  readonly problem?: undefined
}

/**
 * Writes an output as JSON text, once. What the caller gets as value is the tool's own value where the text says all of
 * it and holds no secret, else what the text says.
 */
export function writeOutput(
  output: unknown,
  toolName: string,
  settings: InvokerSettings,
): WrittenOutput | { readonly problem: CallProblem } {
  if (output === undefined) return { value: undefined, text: 'null', logText: 'null' }
  try {
    return write(output, settings)
  } catch (error) {
    return {
      problem: {
        code: 'OUTPUT_UNSERIALISABLE',
        message:
          `"${toolName}" ran, but its output cannot be written as JSON: ${describeError(error).message}. ` +
          'Its effects have happened; calling it again may repeat them.',
      },
    }
  }
}

function write(output: unknown, { redactor, outputLimits }: InvokerSettings): WrittenOutput {
  const isContent = isContentOutput(output)
  const walk = new PlainWalk(outputLimits, redactor.isSecretKey)
  const isPlain = walk.isPlain(output)
  const written: unknown = isPlain ? output : copyAsPlainJson(output, outputLimits)
  const writtenText = JSON.stringify(written)
  const clean = redactor.redactJson(written, writtenText)
  const value = clean === undefined ? written : clean.value
  const text = clean === undefined ? writtenText : clean.text
  return {
    value: isContent && value !== output ? markContent(value) : value,
    text,
    logText: isPlain && !walk.hasSecretKey ? text : redactor.maskKeys(value),
  }
}

/** Copies lose the mark of rich output. */
function markContent(value: unknown): unknown {
  const { content, structuredContent } = value as {
    content?: Parameters<typeof contentOutput>[0]
    structuredContent?: unknown
  }
  return content === undefined ? value : contentOutput(content, structuredContent)
}

/** How many characters of an output that JSON cannot hold are described. */
const maxDescribedLength = 1_048_576

/**
 * Writes an output for the log alone, where the caller gets none: what JSON cannot hold is described. `undefined` where
 * even that fails.
 */
export function writeForLog(output: unknown, settings: InvokerSettings): string | undefined {
  try {
    if (output === undefined) return 'null'
    const { redactor, outputLimits } = settings
    const value = new PlainWalk(outputLimits, redactor.isSecretKey).isPlain(output)
      ? output
      : copyAsPlainJson(output, { ...outputLimits, maxLength: maxDescribedLength }, true)
    const clean = redactor.redactJson(value, JSON.stringify(value))
    return redactor.maskKeys(clean === undefined ? value : clean.value)
  } catch {
    return undefined
  }
}
