/** On whose behalf a tool is called or proposed. */
export interface Principal {
  readonly kind: 'agent' | 'person' | 'service'
  readonly id: string
}

/** The principal of calls that name none: the program itself. */
export const localPrincipal: Principal = Object.freeze({ kind: 'service', id: 'local' })
