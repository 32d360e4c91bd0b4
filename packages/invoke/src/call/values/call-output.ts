import { contentOutput, isContentOutput } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { describeError } from './describe-error.ts'
import type { InvokerSettings } from '../../invoker-settings.ts'
import {
  NotPlainJsonError,
  type PlainLimits,
  PlainWalk,
  maxLengthOfOneTurn,
  tooLongMessage,
} from './plain-json.ts'
import { copyAsPlainJson } from './plain-json-copy.ts'
import { copyPlainJsonInSlices } from './plain-json-slices.ts'
import { nextTurnOfLoop } from '../../limits/wait.ts'
import { WorkStopped, workInSlices } from './work-slices.ts'
import { writeCleanInSlices } from './clean-json-slices.ts'

/** An output, ready to be handed out and logged. */
export interface WrittenOutput {
  readonly value: unknown
  /** For the caller: secrets removed. */
  readonly text: string
  /** For the log: what stands under secret keys is hidden too. */
  readonly logText: string
  /** The size of the text in UTF-8, where it is known. */
  readonly bytes?: number
  /** A beginning of the text that can be cut without copying the whole, where there is one. */
  readonly beginning?: string
  readonly problem?: undefined
}

/** Stands for an output that is too large to be written at once; see {@link writeLargeOutput}. */
export const tooLongForOneTurn: unique symbol = Symbol('tooLongForOneTurn')

/** What writing an output comes to. */
export type OutputWriting = WrittenOutput | { readonly problem: CallProblem }

/**
 * Writes an output as JSON text, once. What the caller gets as value is the tool's own value where the text says all of
 * it and holds no secret, else what the text says.
 */
export function writeOutput(
  output: unknown,
  toolName: string,
  settings: InvokerSettings,
): OutputWriting | typeof tooLongForOneTurn {
  if (output === undefined) return { value: undefined, text: 'null', logText: 'null' }
  try {
    return write(output, settings)
  } catch (error) {
    return isTooLong(error) ? tooLongForOneTurn : unserialisable(toolName, error)
  }
}

/** Writes a large output in slices; what the caller gets is a copy. `undefined` when nobody waits for it any more. */
export async function writeLargeOutput(
  output: unknown,
  { toolName, settings }: { readonly toolName: string; readonly settings: InvokerSettings },
  isStopped: () => boolean,
): Promise<OutputWriting | undefined> {
  const { outputLimits, redactor } = settings
  // The attempt to write it at once has had its turn.
  await nextTurnOfLoop()
  try {
    const { isSecretKey: isWantedKey } = redactor
    const copying = copyPlainJsonInSlices(output, { limits: outputLimits, isWantedKey })
    const copy = await workInSlices(copying, isStopped)
    const written = await writeCleanInSlices(copy, redactor, isStopped)
    return isContentOutput(output) ? { ...written, value: markContent(written.value) } : written
  } catch (error) {
    return error instanceof WorkStopped ? undefined : unserialisable(toolName, error)
  }
}

function unserialisable(toolName: string, error: unknown): { readonly problem: CallProblem } {
  return {
    problem: {
      code: 'OUTPUT_UNSERIALISABLE',
      message:
        `"${toolName}" ran, but its output cannot be written as JSON: ${describeError(error).message}. ` +
        'Its effects have happened; calling it again may repeat them.',
    },
  }
}

/** What may still be written in slices is refused only there. */
function isTooLong(error: unknown): boolean {
  return error instanceof NotPlainJsonError && error.isTooLarge
}

function limitsOfOneTurn({ outputLimits }: InvokerSettings): PlainLimits {
  const { maxLength, maxNesting } = outputLimits
  return { maxNesting, maxLength: Math.min(maxLength, maxLengthOfOneTurn) }
}

function write(output: unknown, settings: InvokerSettings): WrittenOutput {
  const { redactor } = settings
  const isContent = isContentOutput(output)
  const limits = limitsOfOneTurn(settings)
  const walk = new PlainWalk(limits, redactor.isSecretKey)
  const isPlain = walk.isPlain(output)
  if (walk.isTooLong) throw new NotPlainJsonError(tooLongMessage, true)
  const written: unknown = isPlain ? output : copyAsPlainJson(output, limits)
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

/**
 * Writes an output for the log alone, where the caller gets none: what JSON cannot hold is described. `undefined` where
 * even that fails.
 */
export function writeForLog(
  output: unknown,
  settings: InvokerSettings,
): string | undefined | Promise<string | undefined> {
  try {
    if (output === undefined) return 'null'
    return writeSmallForLog(output, settings)
  } catch (error) {
    return isTooLong(error) ? writeLargeForLog(output, settings) : undefined
  }
}

function writeSmallForLog(output: unknown, settings: InvokerSettings): string {
  const { redactor } = settings
  const limits = limitsOfOneTurn(settings)
  const walk = new PlainWalk(limits, redactor.isSecretKey)
  const isPlain = walk.isPlain(output)
  if (walk.isTooLong) throw new NotPlainJsonError(tooLongMessage, true)
  const value = isPlain ? output : copyAsPlainJson(output, limits, true)
  const clean = redactor.redactJson(value, JSON.stringify(value))
  return redactor.maskKeys(clean === undefined ? value : clean.value)
}

/** How long the log's text of a large output that nobody gets may take, in milliseconds. */
const logOnlyMs = 2_000

async function writeLargeForLog(
  output: unknown,
  { outputLimits, redactor }: InvokerSettings,
): Promise<string | undefined> {
  const end = performance.now() + logOnlyMs
  const isStopped = (): boolean => performance.now() > end
  await nextTurnOfLoop()
  try {
    const { isSecretKey: isWantedKey } = redactor
    const options = { limits: outputLimits, isLenient: true, isWantedKey }
    const copy = await workInSlices(copyPlainJsonInSlices(output, options), isStopped)
    return (await writeCleanInSlices(copy, redactor, isStopped)).logText
  } catch {
    return undefined
  }
}
