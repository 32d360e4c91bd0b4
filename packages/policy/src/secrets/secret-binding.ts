import { showQuoted } from '../policies/describe-text.ts'
import { policyError } from '../error-catalogue.ts'
import {
  type OriginPattern,
  matchesAnyOrigin,
  parseOriginPattern,
} from '../policies/origin-pattern.ts'
import { type PolicyRule, ToolPolicyViolation } from '../policies/policy-violation.ts'
import { type PathPrefix, isPathBelow, readPathPrefix } from './secret-path.ts'

/** Where a secret may be sent, and nowhere else. */
export interface SecretBinding {
  /**
   * `[scheme://]host[:port]` as in `HttpPolicy.origins`: https and its usual port unless said otherwise, `*.example.com` for all
   * below. Never `*` alone.
   */
  readonly hosts: readonly string[]
  /** @default every method */
  readonly methods?: readonly string[]
  /** Paths, each also standing for everything below it: `/v1` allows `/v1` and `/v1/users`, not `/v10`. @default every path */
  readonly paths?: readonly string[]
  /** Header names in which it may stand. @default every header that a tool may set */
  readonly headers?: readonly string[]
}

/** The facts of a request that decide whether a secret may be filled in. */
export interface SecretDestination {
  readonly url: URL
  readonly method: string
}

/** A binding as it is checked. */
export interface CheckedBinding {
  readonly origins: readonly OriginPattern[]
  readonly methods: readonly string[] | undefined
  readonly paths: readonly PathPrefix[] | undefined
  readonly headers: readonly string[] | undefined
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/

/** Headers with which some servers let a request pass for another method or path than it has. */
const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
const pathOverrides = ['x-original-url', 'x-rewrite-url']

/** @throws {ToolError} POLICY_INVALID naming the secret, the field and the value */
export function readBinding(name: string, binding: SecretBinding): CheckedBinding {
  const { methods, paths, headers } = binding
  return {
    origins: readList({ name, field: 'hosts', items: binding.hosts }, (host, field) => {
      const origin = parseOriginPattern(host, field)
      if (origin.hosts.kind !== 'every') return origin
      return refuse(field, host, 'a secret must be bound to hosts by name')
    }),
    methods:
      methods &&
      readList({ name, field: 'methods', items: methods }, (method, field) =>
        token.test(method) ? method.toUpperCase() : refuse(field, method, 'it is no method'),
      ),
    paths:
      paths &&
      readList({ name, field: 'paths', items: paths }, (path, field) => {
        const prefix = readPathPrefix(path)
        return typeof prefix === 'string' ? refuse(field, path, prefix) : prefix
      }),
    headers:
      headers &&
      readList({ name, field: 'headers', items: headers }, (header, field) =>
        token.test(header) ? header.toLowerCase() : refuse(field, header, 'it is no header name'),
      ),
  }
}

function readList<Read>(
  { name, field, items }: { name: string; field: string; items: readonly string[] },
  read: (item: string, field: string) => Read,
): readonly Read[] {
  const place = `secrets.${name}.${field}`
  // From JavaScript, or from data that nobody checked, anything may come.
  if (!Array.isArray(items) || items.length === 0)
    throw policyError('POLICY_INVALID', `${place} must be a list with at least one text.`, {
      data: { field: place },
    })
  return items.map((item: unknown, index) =>
    typeof item === 'string'
      ? read(item, `${place}[${index}]`)
      : refuse(`${place}[${index}]`, typeof item, 'it is no text'),
  )
}

function refuse(field: string, value: string, problem: string): never {
  throw policyError(
    'POLICY_INVALID',
    `${field}: ${showQuoted(value)} cannot be used: ${problem}.`,
    {
      data: { field },
    },
  )
}

/** A request into which a secret shall be filled in. */
interface SecretUse extends SecretDestination {
  readonly secret: string
  /** In lower case. */
  readonly header: string
  /** The names of all headers of the request, in lower case. */
  readonly allHeaders: readonly string[]
}

/** @throws {ToolPolicyViolation} secret.host, secret.method, secret.path or secret.place */
export function assertBound(binding: CheckedBinding, use: SecretUse): void {
  const broken = findBrokenRule(binding, use)
  if (broken === undefined) return
  const { secret, url, method, header } = use
  const place = `${url.protocol}//${url.host}${url.pathname.slice(0, 200)}`
  const beside = broken.override === undefined ? '' : ` beside ${showQuoted(broken.override)}`
  throw new ToolPolicyViolation({
    rule: broken.rule,
    tried: `send the secret ${secret} with ${showQuoted(method.slice(0, 40))} to ${showQuoted(place)} in the header ${showQuoted(header.slice(0, 80))}${beside}`,
    howToAsk: `It is bound to ${broken.bound}. An operator can change what the secret ${secret} is bound to.`,
  })
}

/** Some frameworks let a field of the query name another method. */
function findMethodField(url: URL): string | undefined {
  return [...url.searchParams.keys()].find((key) => /^_method$/i.test(key.trim()))
}

interface BrokenRule {
  readonly rule: PolicyRule
  /** What would have been allowed. */
  readonly bound: string
  /** The header that would have let the request pass for another. */
  readonly override?: string | undefined
}

function findBrokenRule(binding: CheckedBinding, use: SecretUse): BrokenRule | undefined {
  const { origins, methods, paths, headers } = binding
  const findOverride = (names: readonly string[]): string | undefined =>
    // Behind CGI an underscore means the same as a hyphen.
    use.allHeaders.find((name) => names.includes(name.replaceAll('_', '-')))
  if (matchesAnyOrigin(origins, use.url) !== 'match') {
    const bound = `the hosts ${origins.map(({ text }) => text).join(', ')}`
    return { rule: 'secret.host', bound }
  }
  if (methods !== undefined) {
    const override = findOverride(methodOverrides) ?? findMethodField(use.url)
    if (!methods.includes(use.method.toUpperCase()) || override !== undefined)
      return { rule: 'secret.method', bound: `the methods ${methods.join(', ')}`, override }
  }
  if (paths !== undefined) {
    const override = findOverride(pathOverrides)
    const isBelow = paths.some((path) => isPathBelow(use.url.pathname, path))
    const bound = `the paths ${paths.map(({ path }) => path || '/').join(', ')}`
    if (!isBelow || override !== undefined) return { rule: 'secret.path', bound, override }
  }
  if (headers === undefined || headers.includes(use.header)) return undefined
  return { rule: 'secret.place', bound: `the headers ${headers.join(', ')}` }
}
