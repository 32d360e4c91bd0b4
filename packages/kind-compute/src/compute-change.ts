import type { ExplanationLine } from '@toolcrib/compute/explain'
import { boundSentences } from '@toolcrib/toolsmaker/kind'

/** How many pairs of lines are compared; each takes four bytes. */
const mostPairs = 4_000_000

/** A stretch of lines that differs: what was there, what is there now. */
interface Stretch {
  readonly before: ExplanationLine[]
  readonly after: ExplanationLine[]
}

const isSame = (left: ExplanationLine | undefined, right: ExplanationLine | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  left.depth === right.depth &&
  left.sentence === right.sentence

/** Lengths of the longest common subsequences of all tails, as one row for each line of `before`. */
function commonLengths(
  before: readonly ExplanationLine[],
  after: readonly ExplanationLine[],
): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const current = rows[row]
      const below = rows[row + 1]
      if (current === undefined || below === undefined) continue
      current[column] = isSame(before[row], after[column])
        ? (below[column + 1] ?? 0) + 1
        : Math.max(below[column] ?? 0, current[column + 1] ?? 0)
    }
  return rows
}

function findStretches(
  before: readonly ExplanationLine[],
  after: readonly ExplanationLine[],
): Stretch[] {
  const lengths = commonLengths(before, after)
  const stretches: Stretch[] = []
  let open: Stretch | undefined
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const old = before[row]
    const current = after[column]
    if (isSame(old, current)) {
      open = undefined
      row += 1
      column += 1
      continue
    }
    if (open === undefined) {
      open = { before: [], after: [] }
      stretches.push(open)
    }
    const skipsOld = (lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)
    if (old !== undefined && (current === undefined || skipsOld)) {
      open.before.push(old)
      row += 1
    } else if (current !== undefined) {
      open.after.push(current)
      column += 1
    }
  }
  return stretches
}

/** A sentence without its full stop or colon. */
function clauseOf({ sentence }: ExplanationLine): string {
  return sentence.endsWith('.') || sentence.endsWith(':') ? sentence.slice(0, -1) : sentence
}

function describeStretch({ before, after }: Stretch): readonly string[] {
  const added = [...after]
  const sentences: string[] = []
  for (const old of before) {
    const partner = added.findIndex(
      ({ subject, depth }) => subject === old.subject && depth === old.depth,
    )
    const [current] = partner < 0 ? [] : added.splice(partner, 1)
    sentences.push(
      current === undefined
        ? `Removed ${old.path}: ${clauseOf(old)}.`
        : `Changed ${current.path}: ${clauseOf(old)} → ${clauseOf(current)}.`,
    )
  }
  return [...sentences, ...added.map((line) => `Added ${line.path}: ${clauseOf(line)}.`)]
}

/** What differs between two programs, a sentence for each line removed, changed or added. */
export function describeLogicChange(
  before: readonly ExplanationLine[],
  after: readonly ExplanationLine[],
): readonly string[] {
  const old = [...before]
  const current = [...after]
  while (old.length > 0 && current.length > 0 && isSame(old[0], current[0])) {
    old.shift()
    current.shift()
  }
  while (old.length > 0 && current.length > 0 && isSame(old.at(-1), current.at(-1))) {
    old.pop()
    current.pop()
  }
  if (old.length * current.length > mostPairs)
    return [
      `${old.length} lines became ${current.length}, too many to be compared: read both sources.`,
    ]
  const sentences = findStretches(old, current).flatMap(describeStretch)
  return sentences.length === 0 ? ['The program is the same.'] : boundSentences(sentences)
}
