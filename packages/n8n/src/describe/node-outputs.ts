import type { N8nNode } from '../n8n-workflow.ts'
import { NodeParameters } from './node-parameters.ts'
import { isShipped, kindOf } from './node-families.ts'
import { showCondition } from './condition-words.ts'
import { quoteCut } from './show-text.ts'

const several: Readonly<Record<string, readonly string[]>> = {
  if: ['if so', 'if not'],
  compareDatasets: ['only in the first', 'the same', 'different', 'only in the second'],
  dynamicCredentialCheck: ['if the credential is ready', 'if the credential is not ready'],
}

// Shipped nodes with more outputs than one, whose number their parameters decide.
const manifold = /switch|classifier|sentimentAnalysis|guardrails|sendAndWait|agent/i

/** Under what condition an output is taken, such as `if so`; '' for the one output that is always taken. */
export function nameOutput(node: N8nNode, output: number): string {
  // What is switched off gives all on at its first output.
  if (node.disabled === true) return output === 0 ? '' : 'never, for it is switched off'
  const kind = kindOf(node)
  const names = namesOf(node)
  const name = names?.[output]
  if (name !== undefined) return name
  if (node.onError === 'continueErrorOutput') {
    if (names !== undefined) return output === names.length ? 'if it fails' : `output ${output + 1}`
    if (isShipped(node) && !manifold.test(kind))
      return output === 1 ? 'if it fails' : output === 0 ? '' : `output ${output + 1}`
    return output === 0
      ? 'output 1'
      : `output ${output + 1} (the last output is the one for failures)`
  }
  return output === 0 && names === undefined && !manifold.test(kind) ? '' : `output ${output + 1}`
}

function namesOf(node: N8nNode): readonly string[] | undefined {
  const kind = kindOf(node)
  if (kind === 'splitInBatches')
    return node.typeVersion >= 3
      ? ['when all batches are done', 'for each batch']
      : ['for each batch', 'when all batches are done']
  if (kind === 'switch') return switchNames(node)
  if (kind === 'evaluation' && node.parameters['operation'] === 'checkIfEvaluating')
    return ['in an evaluation', 'if it is no evaluation']
  if (kind === 'respondToWebhook' && hasResponseOutput(node)) return ['', 'with what it answered']
  return several[kind]
}

/** n8n-nodes-base, RespondToWebhook: configuredOutputs. */
function hasResponseOutput({ parameters, typeVersion }: N8nNode): boolean {
  return typeVersion === 1.3 || (typeVersion >= 1.4 && parameters['enableResponseOutput'] === true)
}

function switchNames(node: N8nNode): readonly string[] | undefined {
  const parameters = new NodeParameters(node.parameters)
  const mode = parameters.at('mode') ?? 'rules'
  if (node.typeVersion < 3 || mode !== 'rules') return undefined
  const rules = parameters.list('rules', 'values')
  const names = rules.map((_, index) => {
    const label = parameters.text('rules', 'values', index, 'outputKey')
    const condition = showCondition(parameters, ['rules', 'values', index, 'conditions'])
    const words = condition ?? 'what its rule says'
    return `if ${words}${label === undefined || label === '' ? '' : ` (labelled ${quoteCut(label, 80)})`}`
  })
  const fallback = parameters.at('options', 'fallbackOutput')
  if (fallback === 'extra') return [...names, 'if no rule holds']
  // n8n takes a number that is written as a text for one.
  const number = fallback === undefined || fallback === '' ? undefined : Number(fallback)
  return names.map((name, index) => (index === number ? `${name}, or if no rule holds` : name))
}
