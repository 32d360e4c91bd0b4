import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import { SourceLane } from '../source-thread/source-lane.ts'
import { SourceSyntaxError } from './source-syntax-error.ts'
import type { SourceRequest, SourceTasks } from '../source-thread/source-tasks.ts'
import type { SourceOutcome } from '../source-thread/source-thread.ts'

/** How a source is read. */
export interface ReadSourceOptions {
  /** How long reading may take, in milliseconds; it takes longer than a fraction only for a source made to be slow. @default 2_000 */
  readonly timeoutMs?: number
  /** Whether it goes before all others that wait: a version that is in use. @default false */
  readonly isFirst?: boolean
  readonly signal?: AbortSignal | undefined
}

/** A source of the largest size takes a fraction of it; what takes longer is tried again where it holds up nobody. */
const quickMs = 300
const quick = new SourceLane({ maxWaiting: 200, idleMs: 60_000 })
const patient = new SourceLane({ maxWaiting: 8, idleMs: 5_000 })

/**
 * Asks something of a source in a thread of its own, so that the host goes on whatever the source does to the parsers: some
 * small sources double their work with each level, others run out of stack.
 *
 * @throws {SourceSyntaxError} when it cannot be read, or not in time
 * @throws {ToolError} KIND_FAILED when too many sources wait
 * @throws the reason of the signal
 */
export async function readSource<Name extends keyof SourceTasks>(
  request: Extract<SourceRequest, { readonly name: Name }>,
  { isFirst = false, signal, timeoutMs = 2_000 }: ReadSourceOptions = {},
): Promise<SourceTasks[Name]['answer']> {
  signal?.throwIfAborted()
  const job = { request, isFirst, signal }
  let outcome = await quick.add({ ...job, timeoutMs: Math.min(quickMs, timeoutMs) })
  if (outcome === 'full')
    throw toolsmakerError(
      'KIND_FAILED',
      'Too many sources wait to be read. Propose it again in a moment.',
    )
  if (outcome === 'too-slow' && timeoutMs > quickMs) {
    const second = await patient.add({ ...job, timeoutMs })
    // Others that are slow wait already: this one has had its time.
    outcome = second === 'full' ? outcome : second
  }
  return readOutcome(outcome, timeoutMs)
}

function readOutcome(
  outcome: SourceOutcome,
  timeoutMs: number,
): SourceTasks[keyof SourceTasks]['answer'] {
  if (outcome === 'too-slow')
    throw new SourceSyntaxError(
      `Reading the source took more than ${timeoutMs} ms. Nest generic functions, conditional expressions and arrow functions less.`,
      { rule: 'size' },
    )
  if (outcome === 'lost')
    throw new SourceSyntaxError('Reading the source took too much memory. Make it simpler.', {
      rule: 'size',
    })
  if ('value' in outcome) return outcome.value
  throw new SourceSyntaxError(outcome.failed.message, outcome.failed)
}
