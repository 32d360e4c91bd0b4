import { ComputeError, type ComputeLogic } from '@toolcrib/compute'
import { explainCompute, type ExplanationLine } from '@toolcrib/compute/explain'
import type { JsonValue } from '@toolcrib/registry'
import { boundSentences } from '@toolcrib/toolsmaker/kind'

/** A program that was sound once is explained whatever the limits are now. */
const raised = {
  maxNesting: 250,
  maxSteps: 1e6,
  maxProgramBytes: 1e9,
  maxExpressionLength: 1e6,
  maxVariables: 1e6,
}

/**
 * Every line about a program, in reading order; `undefined` for what is none. The tool's parameters are shown beside
 * it, and its cost is a check of its own.
 */
export function readLines(definition: JsonValue): readonly ExplanationLine[] | undefined {
  try {
    const lines = explainCompute(definition as unknown as ComputeLogic, { limits: raised })
    return lines.filter(({ path, subject }) => !path.startsWith('args.') && subject !== 'cost')
  } catch (error) {
    if (ComputeError.is(error)) return undefined
    throw error
  }
}

/** A program in plain sentences, one a line; steps inside others are indented by two spaces for each level. */
export function describeLines(lines: readonly ExplanationLine[]): readonly string[] {
  return boundSentences(lines.map(({ depth, sentence }) => `${'  '.repeat(depth)}${sentence}`))
}
