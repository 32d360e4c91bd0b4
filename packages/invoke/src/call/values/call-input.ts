import type { ToolDefinition } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { countBytes, cutText, exceedsBytes } from './bounded-text.ts'
import type { InvokerSettings } from '../../invoker-settings.ts'
import { NotPlainJsonError, type PlainLimits, maxLengthOfOneTurn } from './plain-json.ts'
import { copyAsPlainJson } from './plain-json-copy.ts'
import { PlainCopier, notPlain } from './plain-json-input.ts'
import { copyPlainJsonInSlices } from './plain-json-slices.ts'
import type { SlicedJson } from './json-text-slices.ts'
import { nextTurnOfLoop } from '../../limits/wait.ts'
import { workInSlices } from './work-slices.ts'
import { writeCleanInSlices } from './clean-json-slices.ts'

/** An input, taken once: what is validated and run, and what the log gets. */
export interface TakenInput {
  /** A copy that nobody else can change; the caller's own value where that is no plain JSON. */
  readonly value: unknown
  /** For the log: secrets removed. */
  readonly text: string
  readonly problem?: CallProblem
}

/**
 * Takes an input, before anybody can change it: plain JSON is copied, and the log shows that copy. Anything else is run as it is,
 * and what the log gets says so and describes it: whether it will do is for the schema to say. `undefined` for one that is so large
 * that it has to be taken in slices.
 *
 * @throws when secrets cannot be taken out of it.
 */
export function takeInput(
  input: unknown,
  tool: ToolDefinition,
  settings: InvokerSettings,
): TakenInput | undefined {
  if (input === undefined) return { value: undefined, text: 'null' }
  const { redactor } = settings
  const limits = limitsFor(tool, settings)
  const copier = new PlainCopier(
    { ...limits, maxLength: Math.min(limits.maxLength, maxLengthOfOneTurn) },
    redactor.isSecretKey,
  )
  const value = copier.copy(input)
  if (value === notPlain) return copier.isTooLong ? undefined : describeInput(input, tool, settings)
  const text = JSON.stringify(value)
  if (exceedsBytes(text, limits.maxLength))
    return tooLarge(input, tool, settings, redactor.redactJson(value, text)?.text ?? text)
  const clean = redactor.redactJson(value, text)
  if (copier.hasSecretKey)
    return { value, text: redactor.maskKeys(clean === undefined ? value : clean.value) }
  return { value, text: clean === undefined ? text : clean.text }
}

/** An input that JSON cannot hold, or holds only in part. */
function describeInput(
  input: unknown,
  tool: ToolDefinition,
  settings: InvokerSettings,
): TakenInput | undefined {
  const { redactor } = settings
  const limits = limitsFor(tool, settings)
  try {
    const described = copyAsPlainJson(
      input,
      { ...limits, maxLength: Math.min(limits.maxLength, maxLengthOfOneTurn) },
      true,
    )
    const whole = { notPlainJson: true, input: described }
    const text = JSON.stringify(described)
    if (exceedsBytes(text, limits.maxLength))
      return tooLarge(input, tool, settings, redactor.redactJson(described, text)?.text ?? text)
    const clean = redactor.redactJson(whole, JSON.stringify(whole))
    return { value: input, text: redactor.maskKeys(clean === undefined ? whole : clean.value) }
  } catch (error) {
    if (error instanceof NotPlainJsonError && error.isTooLarge) return undefined
    throw error
  }
}

/**
 * Takes a large input in slices.
 *
 * @throws {WorkStopped} when nobody waits for it any more.
 * @throws when secrets cannot be taken out of it.
 */
export async function takeLargeInput(
  input: unknown,
  { tool, settings }: { readonly tool: ToolDefinition; readonly settings: InvokerSettings },
  isStopped: () => boolean,
): Promise<TakenInput> {
  const limits = limitsFor(tool, settings)
  // The attempt to take it at once has had its turn.
  await nextTurnOfLoop()
  try {
    const { isSecretKey: isWantedKey } = settings.redactor
    const copying = copyPlainJsonInSlices(input, { limits, isLenient: true, isWantedKey })
    const { isChanged, ...copy } = await workInSlices(copying, isStopped)
    const { value } = copy
    const shown = isChanged ? { notPlainJson: true, input: value } : value
    const data = { ...copy, value: shown }
    const written = await writeCleanInSlices(data, settings.redactor, isStopped)
    if (written.bytes > limits.maxLength) return tooLarge(input, tool, settings, written)
    return { value: isChanged ? input : value, text: written.logText }
  } catch (error) {
    if (error instanceof NotPlainJsonError && error.isTooLarge)
      return tooLarge(input, tool, settings)
    throw error
  }
}

function limitsFor(tool: ToolDefinition, settings: InvokerSettings): PlainLimits {
  return {
    maxNesting: settings.outputLimits.maxNesting,
    maxLength: effectiveLimit(tool, settings),
  }
}

function effectiveLimit(tool: ToolDefinition, settings: InvokerSettings): number {
  return Math.min(tool.maxInputBytes ?? settings.maxInputBytes, settings.maxInputBytes)
}

// oxlint-disable-next-line max-params -- the fourth only where the input was written at all
function tooLarge(
  value: unknown,
  tool: ToolDefinition,
  settings: InvokerSettings,
  text?: string | SlicedJson,
): TakenInput {
  const { previewBytes } = settings
  const maxInputBytes = effectiveLimit(tool, settings)
  const size = text === undefined ? `more than ${maxInputBytes}` : String(sizeOf(text))
  const beginning =
    text === undefined
      ? ''
      : cutText(typeof text === 'string' ? text : text.beginning, previewBytes)
  return {
    value,
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

function sizeOf(text: string | SlicedJson): number {
  return typeof text === 'string' ? countBytes(text) : text.bytes
}

function describeLimits(tool: ToolDefinition, settings: InvokerSettings): string {
  const own = tool.maxInputBytes === undefined ? 'no limit of its own' : `${tool.maxInputBytes}`
  return `"${tool.name}": ${own}, host: ${settings.maxInputBytes}`
}
