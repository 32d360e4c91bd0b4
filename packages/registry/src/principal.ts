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

/** The most characters that the id of a principal may have. */
const maxIdLength = 200

/** A frozen copy of a principal; `undefined` for whatever is none. */
export function toPrincipal(value: unknown): Principal | undefined {
  if (value === localPrincipal) return localPrincipal
  const fields = readFields(value)
  return fields === undefined ? undefined : Object.freeze(fields)
}

/** The fields of a principal, read once; `undefined` for whatever is none. */
export function readFields(value: unknown): Principal | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    const { kind, id } = value as { readonly kind?: unknown; readonly id?: unknown }
    return isKind(kind) && isId(id) ? { kind, id } : undefined
  } catch {
    // A getter or a proxy threw.
    return undefined
  }
}

function isKind(kind: unknown): kind is Principal['kind'] {
  return kind === 'agent' || kind === 'person' || kind === 'service'
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength && id.isWellFormed()
}
