/** How long asking may take, and who may end it. */
export interface ParallelLimits {
  /** For one answer, in milliseconds. */
  readonly answerTimeoutMs: number
  /** For all of it, in milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Questions that are asked at once. */
const parallel = 8

/**
 * Asks about each of many subjects, several at once, and not for ever: `ask` gets 0 ms or less where no time is left, and
 * has to say so in its answer.
 */
export async function askInParallel<Subject, Answer>(
  subjects: readonly Subject[],
  { answerTimeoutMs, signal, timeoutMs }: ParallelLimits,
  ask: (subject: Subject, leftMs: number) => Promise<Answer>,
): Promise<ReadonlyMap<Subject, Answer>> {
  const answers = new Map<Subject, Answer>()
  const endsAt = performance.now() + timeoutMs
  const waiting = subjects.values()
  const work = async (): Promise<void> => {
    for (const subject of waiting) {
      signal?.throwIfAborted()
      const leftMs = Math.min(endsAt - performance.now(), answerTimeoutMs)
      // oxlint-disable-next-line no-await-in-loop -- several of these loops run beside each other
      answers.set(subject, await ask(subject, leftMs))
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, subjects.length) }, work))
  return answers
}
