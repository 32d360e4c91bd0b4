/** Paragraphs put into entries of bounded number and length. */
export interface StepEntries {
  readonly steps: readonly string[]
  readonly isCut: boolean
}

const continued = '   … goes on: '

/**
 * Makes an entry of each paragraph; long ones take several. Where that gives more entries than there may be, paragraphs share
 * entries, and when even that is not enough, the last entry says how many lines are missing, and of which paragraphs.
 */
export function fitEntries(
  paragraphs: readonly (readonly string[])[],
  { maxStepLength, maxSteps }: { readonly maxSteps: number; readonly maxStepLength: number },
): StepEntries {
  const wrapped = paragraphs.map((lines) => lines.flatMap((line) => wrap(line, maxStepLength)))
  const single = wrapped.flatMap((lines) => pack(lines, maxStepLength))
  if (single.length <= maxSteps) return { steps: single, isCut: false }
  const lines = wrapped.flat()
  const shared = pack(lines, maxStepLength)
  if (shared.length <= maxSteps) return { steps: shared, isCut: false }
  const kept = shared.slice(0, maxSteps - 1)
  const shownLines = kept.reduce((sum, entry) => sum + entry.split('\n').length, 0)
  let line = 0
  const whole = wrapped.filter((paragraph) => (line += paragraph.length) <= shownLines).length
  return {
    steps: [
      ...kept,
      `NOT SHOWN: ${lines.length - shownLines} more lines, which are all but the first ${whole} of ${wrapped.length} paragraphs. Read the workflow itself before deciding.`,
    ],
    isCut: true,
  }
}

/** A line that is longer than an entry may be, as several; the later ones are marked. */
function wrap(line: string, longest: number): readonly string[] {
  if (line.length <= longest) return [line]
  const pieces: string[] = []
  let rest = line
  while (rest.length > longest) {
    // Half of a pair of surrogates would be no character.
    const end = /[\uD800-\uDBFF]/.test(rest.charAt(longest - 1)) ? longest - 1 : longest
    pieces.push(rest.slice(0, end))
    rest = `${continued}${rest.slice(end)}`
  }
  return [...pieces, rest]
}

function pack(lines: readonly string[], longest: number): readonly string[] {
  const entries: string[] = []
  let open: string | undefined
  for (const line of lines) {
    if (open === undefined) open = line
    else if (open.length + 1 + line.length <= longest) open = `${open}\n${line}`
    else {
      entries.push(open)
      open = line
    }
  }
  return open === undefined ? entries : [...entries, open]
}
