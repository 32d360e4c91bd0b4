import { isOneEditAway, plainName } from './name-index.ts'

/** Names of tools that people expect to be built in; a made tool with nearly the same name could pass for one. */
const wellKnownNames: readonly string[] = [
  'bash',
  'shell',
  'exec',
  'execute',
  'eval',
  'http',
  'http_request',
  'fetch',
  'read_file',
  'write_file',
  'file_read',
  'file_write',
  'sql',
  'sql_query',
  'search',
  'web_search',
  'computer',
  'python',
  'create_dynamic_tool',
]

const reservedPrefixes = /^(?:toolfactory|mcp|system|admin|approve|approval)(?:_|-|$)/i

/** Tells which names a new name could be mistaken for; empty when there is none. */
export function findNameSuspicions(name: string, others: Iterable<string>): readonly string[] {
  const found: string[] = []
  if (reservedPrefixes.test(name)) found.push(`the name ${name} looks like a tool of the host`)
  const plain = plainName(name)
  for (const known of wellKnownNames)
    if (plain === plainName(known)) found.push(`the name ${name} is like the well-known ${known}`)
  for (const other of others) {
    if (other === name || Math.abs(other.length - name.length) > 8) continue
    if (plainName(other) === plain)
      found.push(`the name differs from ${other} only in case, "_" or "-"`)
    else if (isOneEditAway(name, other)) found.push(`the name is one letter away from ${other}`)
    if (found.length >= 5) break
  }
  return found
}

/** Whether a suspicion is one that {@link findNameSuspicions} gave. */
export function isNameSuspicion(text: string): boolean {
  return text.startsWith('the name ')
}
