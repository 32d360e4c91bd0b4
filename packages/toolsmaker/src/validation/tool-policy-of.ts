import type { ToolPolicy } from '@toolcrib/policy'
import type { ToolContent } from '../tool-spec.ts'

/** The parts of a tool's content that say what it may touch. */
export type PolicyContent = Pick<
  ToolContent,
  'capabilities' | 'allowedPaths' | 'allowedDomains' | 'secrets' | 'callees'
>

/**
 * What a made tool may touch, in the form in which guards take it. An argument without its capability gives nothing. A
 * capability without arguments gives an empty list, which every reader of policies refuses.
 */
export function toolPolicyOf(content: PolicyContent): ToolPolicy {
  const { allowedDomains, allowedPaths, callees, capabilities, secrets } = content
  const has = new Set(capabilities)
  return {
    ...(has.has('fs_read') && { fs_read: { paths: allowedPaths } }),
    ...(has.has('fs_write') && { fs_write: { paths: allowedPaths } }),
    ...(has.has('http') && { http: { origins: allowedDomains } }),
    ...(has.has('secrets') && { secrets: { names: secrets } }),
    ...(has.has('tools') && {
      tools: { callees: callees.map(({ hash, name }) => ({ name, hash })) },
    }),
  }
}
