import { beforeAbort } from './before-abort.ts'
import { factoryError } from '../error-catalogue.ts'
import { showText } from '@toolcrib/toolsmaker/kind'
import type { ModelMessage, WorkflowModel } from './workflow-model.ts'

/** How a model is asked. */
export interface AskModelOptions {
  readonly model: WorkflowModel
  readonly system: string
  readonly maxOutputTokens: number
  /** For this answer, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a model wrote. */
export interface ModelAnswer {
  readonly text: string
  readonly isCut: boolean
}

const late = Symbol('late')

function readAnswer(answer: unknown): ModelAnswer {
  const { isCut, text } = (answer ?? {}) as { readonly isCut?: unknown; readonly text?: unknown }
  if (typeof text === 'string') return { text, isCut: isCut === true }
  throw new TypeError('it gave no text.')
}

/**
 * Asks a model once, and waits no longer than a limit, also for a model that heeds no signal.
 *
 * @throws {ToolError} WORKFLOW_MODEL_FAILED or WORKFLOW_MODEL_TIMEOUT.
 * @throws the signal's reason when it is aborted.
 */
export async function askWorkflowModel(
  messages: readonly ModelMessage[],
  { maxOutputTokens, model, signal, system, timeoutMs }: AskModelOptions,
): Promise<ModelAnswer> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(late), timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const request = { system, messages, maxOutputTokens }
    const answer = Promise.resolve().then(() =>
      model.generate(request, { signal: controller.signal }),
    )
    return readAnswer(await beforeAbort(answer, controller.signal))
  } catch (cause) {
    signal.throwIfAborted()
    if (controller.signal.reason === late)
      throw factoryError(
        'WORKFLOW_MODEL_TIMEOUT',
        `The model that writes workflows did not answer within ${timeoutMs} ms. Try again, or describe something smaller.`,
        { cause },
      )
    const reason = cause instanceof Error ? showText(cause.message).slice(0, 300) : 'it failed.'
    throw factoryError(
      'WORKFLOW_MODEL_FAILED',
      `The model that writes workflows could not be asked: ${reason.toWellFormed()} Try again later.`,
      { cause },
    )
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
