import type { ComputeLogic, ComputeStep } from '@toolcrib/compute'
import { quoteShown, showText } from './show-text.ts'

/** One line about a program, and the step it is about. */
export interface StepLine {
  /** Such as `steps[1].then[0]`; the same words as in errors. */
  readonly path: string
  /** Conditions around it. */
  readonly depth: number
  readonly sentence: string
  /** What the line is about, for pairing what was with what is. */
  readonly subject: string
}

function lineOf(step: Exclude<ComputeStep, { op: 'condition' }>): {
  sentence: string
  subject: string
} {
  if (step.op === 'return')
    return { sentence: `Give back ${showText(step.value)} and end`, subject: 'return' }
  return {
    sentence: `Set ${showText(step.output)} to ${valueOf(step)}`,
    subject: `${step.op} ${step.output}`,
  }
}

function valueOf(step: Exclude<ComputeStep, { op: 'condition' | 'return' }>): string {
  if (step.op === 'math') return showText(step.expression)
  if (step.op === 'format') return `the text ${quoteShown(step.template)}`
  return `the entry ${quoteShown(step.key)} of ${showText(step.table)}`
}

function* linesOf(
  steps: readonly ComputeStep[],
  path: string,
  depth: number,
): Generator<StepLine, void> {
  for (const [index, step] of steps.entries()) {
    const place = `${path}[${index}]`
    if (step.op !== 'condition') {
      yield { path: place, depth, ...lineOf(step) }
      continue
    }
    const sentence = `If ${showText(step.if)}, then`
    yield { path: place, depth, sentence, subject: 'condition' }
    yield* linesOf(step.then, `${place}.then`, depth + 1)
    if (step.else === undefined || step.else.length === 0) continue
    yield { path: `${place}.else`, depth, sentence: 'Otherwise', subject: 'otherwise' }
    yield* linesOf(step.else, `${place}.else`, depth + 1)
  }
}

/** Every line of a program that was checked, in reading order. */
export function readLines(logic: ComputeLogic): readonly StepLine[] {
  return [...linesOf(logic.steps, 'steps', 0)]
}

/** A program in plain sentences, one a step; steps inside a condition are indented by two spaces for each level. */
export function describeLogic(logic: ComputeLogic): readonly string[] {
  const sentences = readLines(logic).map(({ depth, sentence, subject }) => {
    const ending = subject === 'condition' || subject === 'otherwise' ? ':' : '.'
    return `${'  '.repeat(depth)}${sentence}${ending}`
  })
  return boundSentences(sentences)
}

const mostSentences = 200
const longestSentence = 2_000

/** Keeps sentences to what a review holds, 200 of 2,000 characters, and says what is missing. */
export function boundSentences(sentences: readonly string[]): readonly string[] {
  const missing = sentences.length - mostSentences
  const kept = missing > 0 ? sentences.slice(0, mostSentences - 1) : sentences
  const bounded = kept.map((sentence) => {
    if (sentence.length <= longestSentence) return sentence
    const room = longestSentence - 60
    return `${sentence.slice(0, room).toWellFormed()}… (${sentence.length - room} more characters: read the source)`
  })
  return missing > 0
    ? [...bounded, `… and ${missing + 1} more steps are not shown: read the source.`]
    : bounded
}
