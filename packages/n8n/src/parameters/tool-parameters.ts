import type { ParameterFacts } from './parameter-facts.ts'

/**
 * The parameters of the form that n8n makes of a node for agents: those of the node, with a description for the agent. Where the
 * node has operations, the description is read only when it is not made of them.
 */
export function toToolParameters(list: readonly ParameterFacts[]): readonly ParameterFacts[] {
  if (list.some(({ name }) => name === 'toolDescription')) return list
  const hasChoice = list.some(({ name }) => name === 'resource' || name === 'operation')
  const description: ParameterFacts = { name: 'toolDescription', form: 'value' }
  if (!hasChoice) return [description, ...list]
  return [
    { name: 'descriptionType', form: 'literal', preset: 'auto' },
    { ...description, condition: { show: { descriptionType: ['manual'] } } },
    ...list,
  ]
}

/**
 * The parameters of the form in which a node asks a person before an agent goes on: what is done is set, and the message is
 * always read.
 */
export function toApprovalParameters(list: readonly ParameterFacts[]): readonly ParameterFacts[] {
  const resource = list.find(
    ({ condition }) => condition?.show?.['operation']?.includes('sendAndWait') === true,
  )?.condition?.show?.['resource']?.[0]
  const fixed: Readonly<Record<string, ParameterFacts['preset']>> = {
    resource: typeof resource === 'string' ? resource : undefined,
    operation: 'sendAndWait',
    responseType: 'approval',
  }
  const others = list.flatMap((facts): readonly ParameterFacts[] => {
    const { name } = facts
    if (name === 'message') return []
    if (!Object.hasOwn(fixed, name)) return [facts]
    const preset = fixed[name]
    return name === 'resource' && preset === undefined
      ? []
      : [{ name, form: 'value', ...(preset !== undefined && { preset }) }]
  })
  return [{ name: 'message', form: 'value' }, ...others]
}
