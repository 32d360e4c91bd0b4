import type { N8nWorkflow } from '@toolcrib/n8n'
import type { UsableCredential } from './n8n-factory-options.ts'
import type { GenerationProblem } from '../../generation/read-generated-text.ts'

/**
 * Which credentials a workflow names that it may not use: those that are not in the list with their type and id. Without
 * a list any may be named.
 */
export function credentialProblems(
  { nodes }: Pick<N8nWorkflow, 'nodes'>,
  usable: readonly UsableCredential[] | undefined,
): readonly GenerationProblem[] {
  if (usable === undefined) return []
  const listed = usable.map(({ id, name, type }) => `${type} ${JSON.stringify({ id, name })}`)
  const fix =
    listed.length === 0
      ? 'Leave it out: no credential may be used.'
      : `Use one of these: ${listed.slice(0, 20).join('; ')}.`
  return nodes.flatMap(({ credentials = {}, name: node }, index) =>
    Object.entries(credentials)
      .filter(([type, { id }]) => !usable.some((one) => one.type === type && one.id === id))
      .map(([type, { id }]) => ({
        path: `workflow.nodes[${index}].credentials.${type}`,
        message: `The node ${JSON.stringify(node)} names the credential ${JSON.stringify(id)} of type ${type}, which may not be used.`,
        fix,
      })),
  )
}
