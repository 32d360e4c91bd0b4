import { createHash } from 'node:crypto'
import type { SandboxModule } from '../sandbox.ts'

/** SHA-256 of a module as canonical JSON (RFC 8785) of its source and its imports. Worker and host compute the same. */
export function hashModule(module: SandboxModule): string {
  const imports = Object.entries(module.imports ?? {})
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([specifier, source]) => `${JSON.stringify(specifier)}:${JSON.stringify(source)}`)
  const text = `{"imports":{${imports.join(',')}},"source":${JSON.stringify(module.source)}}`
  return createHash('sha256').update(text).digest('hex')
}
