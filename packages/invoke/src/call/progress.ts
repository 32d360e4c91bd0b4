import type { ToolProgress } from '@toolcrib/registry'
import type { CallFacts } from './call-facts.ts'

/** Hands progress to the caller, secrets removed. What is not progress is dropped; a receiver that fails is logged. */
export function passOnProgress(
  progress: unknown,
  receive: (progress: ToolProgress) => unknown,
  facts: CallFacts,
): void {
  const complain = (error: unknown): void =>
    facts.complain('Progress of a tool could not be passed on', error)
  try {
    const clean = cleanProgress(progress, (text) => facts.settings.redactor.redactText(text))
    if (clean === undefined) return
    // The receiver may be asynchronous, although nobody waits for it.
    Promise.resolve(receive(clean)).catch(complain)
  } catch (error) {
    complain(error)
  }
}

function cleanProgress(
  progress: unknown,
  redactText: (text: string) => string,
): ToolProgress | undefined {
  if (typeof progress !== 'object' || progress === null) return undefined
  const { progress: done, total, message } = progress as Partial<ToolProgress>
  if (typeof done !== 'number' || !Number.isFinite(done)) return undefined
  return {
    progress: done,
    ...(typeof total === 'number' && Number.isFinite(total) && { total }),
    ...(typeof message === 'string' && { message: redactText(message) }),
  }
}
