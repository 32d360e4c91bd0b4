import type { JsonValue } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { EvidenceOperation, EvidenceRun } from './validation-report.ts'

/** What a report may keep of what came out, in characters of JSON, however small the tool is. */
const leastRoom = 12_288
/** And for each character of what the author wrote. */
const roomPerCharacter = 4
/** Shorter values are always kept: a text that says how long they were would be no shorter. */
const shortValue = 200
const leftOut = '(left out: too much to be recorded)'
/** What an operation takes beside its name, where its argument is left out. */
const perOperation = 90

/**
 * Bounds what a report keeps of what came out of its runs, and of what they asked the host, by the size of what the author wrote: the
 * log keeps reports for ever, and quotas count what was written. What is left out is told in its place, with its hash, so that two
 * reports still tell whether the same came out. Runs that failed come first, and of theirs the beginning is always kept.
 */
export function boundEvidence(
  runs: readonly EvidenceRun[],
  { definition, examples }: Pick<ToolContent, 'definition' | 'examples'>,
): readonly EvidenceRun[] {
  const total = leastRoom + roomPerCharacter * JSON.stringify([definition, examples]).length
  const outputs = new Room(total)
  const asked = { operations: new Room(total), arguments: new Room(total) }
  const bounded = new Map<EvidenceRun, EvidenceRun>()
  for (const run of runs.toSorted((left, right) => Number(left.pass) - Number(right.pass)))
    bounded.set(run, boundRun(run, { outputs, asked }))
  return runs.map((run) => bounded.get(run) ?? run)
}

class Room {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  take(length: number): boolean {
    if (length > this.#left) return false
    this.#left -= length
    return true
  }
}

interface AskedRooms {
  readonly operations: Room
  readonly arguments: Room
}

function boundRun(
  run: EvidenceRun,
  { asked, outputs }: { readonly asked: AskedRooms; readonly outputs: Room },
): EvidenceRun {
  const { actual, error, input, operations, origin, pass, ...rest } = run
  const keep = <Value extends JsonValue>(value: Value): Value | string => {
    const { length } = JSON.stringify(value)
    if (outputs.take(length) || length <= shortValue) return value
    return describeLeftOut(value, { length, pass })
  }
  return {
    ...rest,
    // An author's input was written, and is counted; one that was made can be far larger than the schema that it was made from.
    input: origin === 'author' ? input : keep(input),
    origin,
    pass,
    ...(error === undefined ? {} : { error: keep(error) }),
    ...(actual === undefined ? {} : { actual: keep(actual) }),
    ...(operations === undefined ? {} : { operations: boundOperations(operations, asked) }),
  }
}

function describeLeftOut(
  value: JsonValue,
  { length, pass }: { readonly length: number; readonly pass: boolean },
): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const beginning = pass ? '' : `${text.slice(0, shortValue).toWellFormed()}… `
  return `${beginning}(left out: ${length} characters of JSON with the SHA-256 ${hashJson(value)}; too much to be recorded)`
}

/** Which operations they were matters more than what they were asked with; the first that does not fit says how many come after it. */
function boundOperations(
  operations: readonly EvidenceOperation[],
  rooms: AskedRooms,
): readonly EvidenceOperation[] {
  const kept: EvidenceOperation[] = []
  for (const { answer, argument, operation } of operations) {
    if (!rooms.operations.take(operation.length + perOperation)) {
      const left = operations.length - kept.length - 1
      const text = `(left out, with ${left} more operations: too much to be recorded)`
      return [...kept, { operation, argument: text, answer }]
    }
    const fits = rooms.arguments.take(JSON.stringify(argument).length)
    kept.push({ operation, argument: fits ? argument : leftOut, answer })
  }
  return kept
}
