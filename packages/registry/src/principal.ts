/** On whose behalf a tool is called or proposed. */
export interface Principal {
  readonly kind: 'agent' | 'person' | 'service'
  readonly id: string
}

/** The principal of calls that name none: the program itself. */
export const localPrincipal: Principal = Object.freeze({ kind: 'service', id: 'local' })

/**
 * One text for one principal, such as `agent:alice`. What is owned is owned under this text, so that principals of
 * different kinds share nothing, whatever their ids.
 */
export function principalKey({ kind, id }: Principal): string {
  return `${kind}:${id}`
}
