import type { NodeParameters, PathStep } from './node-parameters.ts'
import { quoteCut, showWord } from './show-text.ts'

/** One value in a sentence; counts as told when it is shown whole. */
export function tellWord(parameters: NodeParameters, ...path: readonly PathStep[]): string {
  const value = parameters.at(...path)
  if (typeof value === 'object' && value !== null) return 'what is given below'
  if (typeof value !== 'string') {
    parameters.tell(...path)
    return String(value)
  }
  if (value.length > 300) return `what is given below (${value.length} characters)`
  parameters.tell(...path)
  return value.startsWith('=') ? `the expression ${quoteCut(value, 300)}` : showWord(value)
}
