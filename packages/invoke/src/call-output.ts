import { contentOutput, isContentOutput } from '@toolcrib/registry'
import { isPlainJsonSafely } from './call-input.ts'
import type { CallProblem } from './call-problem.ts'
import { describeError } from './describe-error.ts'
import type { InvokerSettings } from './invoker-settings.ts'
import type { PlainWalk } from './plain-json.ts'
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
  const walk: PlainWalk = {
    remaining: outputLimits.maxLength,
    hasSecretKey: false,
    maxNesting: outputLimits.maxNesting,
    isSecretKey: redactor.isSecretKey,
  }
  const isPlain = isPlainJsonSafely(output, walk)
  const value = isPlain ? output : copyAsPlainJson(output, outputLimits)
  const pair = { value, text: JSON.stringify(value) }
  const clean = redactor.redactJson(pair)
  const logText = isPlain && !walk.hasSecretKey ? clean.text : redactor.maskKeys(clean)
  return {
    value: isContent && clean.value !== output ? markContent(clean.value) : clean.value,
    text: clean.text,
    logText,
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
    const walk = {
      remaining: outputLimits.maxLength,
      hasSecretKey: false,
      maxNesting: outputLimits.maxNesting,
      isSecretKey: () => false,
    }
    const value = isPlainJsonSafely(output, walk)
      ? output
      : copyAsPlainJson(output, { ...outputLimits, maxLength: maxDescribedLength }, true)
    return redactor.maskKeys(redactor.redactJson({ value, text: JSON.stringify(value) }))
  } catch {
    return undefined
  }
}
