import type { ToolCapability } from '@toolcrib/policy'

/** The name of one operation of the host that code may ask for. */
export type HostOperationName =
  | 'http.request'
  | `fs.${'readText' | 'readBytes' | 'exists' | 'stat' | 'list'}`
  | `fs.${'writeText' | 'writeBytes' | 'appendText' | 'createFolder' | 'delete'}`
  | 'secrets.ref'
  | 'tools.call'

/** The operations of the host, each with the capabilities of which it needs one. */
export const hostOperationPowers: Readonly<Record<HostOperationName, readonly ToolCapability[]>> = {
  'http.request': ['http'],
  'fs.readText': ['fs_read'],
  'fs.readBytes': ['fs_read'],
  'fs.exists': ['fs_read', 'fs_write'],
  'fs.stat': ['fs_read', 'fs_write'],
  'fs.list': ['fs_read'],
  'fs.writeText': ['fs_write'],
  'fs.writeBytes': ['fs_write'],
  'fs.appendText': ['fs_write'],
  'fs.createFolder': ['fs_write'],
  'fs.delete': ['fs_write'],
  'secrets.ref': ['secrets'],
  'tools.call': ['tools'],
}

/** All of them. */
export const hostOperationNames: readonly HostOperationName[] = Object.keys(
  hostOperationPowers,
) as HostOperationName[]

/** Tells whether a text names an operation. */
export function isHostOperation(name: string): name is HostOperationName {
  return Object.hasOwn(hostOperationPowers, name)
}
