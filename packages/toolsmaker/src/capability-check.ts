import type { ToolContent } from './tool-spec.ts'
import type { ValidationCheck } from './validation-report.ts'

const hostName =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const secretName = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/

/** Checks that each capability comes with its arguments, and no argument without its capability. */
export function checkCapabilityArguments(content: ToolContent): ValidationCheck {
  const problems = [
    ...pair(content, ['fs_read', 'fs_write'], 'allowedPaths'),
    ...pair(content, ['http'], 'allowedDomains'),
    ...pair(content, ['secrets'], 'secrets'),
    ...pair(content, ['tools'], 'callees'),
    ...content.allowedPaths.flatMap((path) => describePathProblem(path) ?? []),
    ...content.allowedDomains
      .filter((domain) => !hostName.test(domain))
      .map(
        (domain) => `allowedDomains: ${quote(domain)} is not a host name such as "api.example.com"`,
      ),
    ...content.secrets
      .filter((secret) => !secretName.test(secret))
      .map((secret) => `secrets: ${quote(secret)} is not a name such as "API_TOKEN"`),
  ]
  return {
    name: 'capability-arguments',
    pass: problems.length === 0,
    message: problems.length === 0 ? 'each capability has its arguments' : problems.join('; '),
  }
}

function pair(
  content: ToolContent,
  capabilities: readonly ToolContent['capabilities'][number][],
  field: 'allowedPaths' | 'allowedDomains' | 'secrets' | 'callees',
): readonly string[] {
  const wanted = capabilities.filter((capability) => content.capabilities.includes(capability))
  const given = content[field].length > 0
  if (wanted.length > 0 && !given)
    return [`${wanted.join(' and ')} needs ${field}: name at least one`]
  if (wanted.length === 0 && given)
    return [`${field} is given without ${capabilities.join(' or ')}: remove it or ask for that`]
  return []
}

function describePathProblem(path: string): string | undefined {
  if (path.includes('\0')) return `allowedPaths: ${quote(path)} holds a zero byte`
  if (path.split(/[/\\]/).includes('..'))
    return `allowedPaths: ${quote(path)} goes upwards with ".."`
  if (path === '/' || path === '.' || path === '~' || path.startsWith('~/'))
    return `allowedPaths: ${quote(path)} is too wide; name a folder`
  return undefined
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
