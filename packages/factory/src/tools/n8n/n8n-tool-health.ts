import { z } from 'zod'
import type { N8nToolKeeper } from './n8n-factory-options.ts'

/** How an n8n tool is on its server, in a list of tools. */
export interface ListedHealth {
  readonly reachable: boolean
  readonly published?: boolean | undefined
  readonly intact?: boolean | undefined
  readonly lastRun?: { readonly status: string; readonly at?: string | undefined } | undefined
  readonly reason?: string | undefined
}

/** What is known of an n8n tool's workflow. */
export interface KnownWorkflow {
  readonly n8nWorkflowId?: string
  /** Absent where nothing of the tool was put onto a server. */
  readonly health?: ListedHealth
}

/** The schema of {@link ListedHealth}. */
export const listedHealthSchema: z.ZodType<ListedHealth> = z.object({
  reachable: z.boolean().describe('Whether n8n answers.'),
  published: z.boolean().optional().describe('Whether it is live there; absent: not known.'),
  intact: z
    .boolean()
    .optional()
    .describe('Whether it is what a person approved; absent: not known.'),
  lastRun: z.object({ status: z.string(), at: z.string().optional() }).optional(),
  reason: z.string().optional().describe('Why it is not intact, or not known.'),
})

/** How many tools n8n is asked about at once. */
const mostAtOnce = 8

async function knownOf(
  name: string,
  keeper: N8nToolKeeper,
  signal: AbortSignal,
): Promise<KnownWorkflow> {
  const found = await keeper.health(name, { signal })
  const { isPublished, isReachable, lastRun, leftBehind, state, workflowId } = found
  const at = lastRun?.stoppedAt ?? lastRun?.startedAt
  if (state === 'absent' && workflowId === undefined && leftBehind === undefined) return {}
  const reason = leftBehind === undefined ? found.reason : `Left in n8n: ${leftBehind}`
  return {
    ...(workflowId === undefined ? {} : { n8nWorkflowId: workflowId }),
    health: {
      reachable: isReachable,
      ...(isPublished === undefined ? {} : { published: isPublished }),
      ...(state === 'unknown' || state === 'absent' ? {} : { intact: state === 'intact' }),
      ...(lastRun === undefined
        ? {}
        : { lastRun: { status: lastRun.status, ...(at === undefined ? {} : { at }) } }),
      ...(reason === undefined ? {} : { reason: reason.slice(0, 500).toWellFormed() }),
    },
  }
}

/** Whom to ask about which tools, and for how long. */
export interface AskHealthOptions {
  readonly keeper: N8nToolKeeper
  /** For all tools together, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Asks how tools are on their server, some at a time and all together no longer than a limit. Never fails: a tool whose
 * answer is late, or an error, has a health that says so.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function askHealth(
  names: readonly string[],
  { keeper, signal, timeoutMs }: AskHealthOptions,
): Promise<ReadonlyMap<string, KnownWorkflow>> {
  const known = new Map<string, KnownWorkflow>()
  const unknown = (name: string, reason: string): void => {
    known.set(name, { health: { reachable: false, reason } })
  }
  const controller = new AbortController()
  const { promise: over, resolve: end } = Promise.withResolvers<undefined>()
  const stop = (): void => {
    controller.abort(signal.reason)
    end(undefined)
  }
  const timer = setTimeout(stop, timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  const waiting = [...names]
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (controller.signal.aborted) return
      try {
        known.set(name, await knownOf(name, keeper, controller.signal))
      } catch (error) {
        if (controller.signal.aborted) return
        unknown(name, error instanceof Error ? error.message.slice(0, 500) : 'It cannot be asked.')
      }
    }
  }
  try {
    const workers = Array.from({ length: Math.min(mostAtOnce, names.length) }, () => work())
    await Promise.race([Promise.all(workers), over])
    signal.throwIfAborted()
    // A copy: an answer that comes later changes nothing.
    const answers = new Map(known)
    for (const name of names)
      if (!answers.has(name))
        answers.set(name, {
          health: { reachable: false, reason: `There was no answer within ${timeoutMs} ms.` },
        })
    return answers
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    controller.abort()
  }
}
