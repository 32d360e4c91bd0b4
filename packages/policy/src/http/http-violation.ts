import { showQuoted } from '../policies/describe-text.ts'
import { type PolicyRule, ToolPolicyViolation } from '../policies/policy-violation.ts'
import { httpMethods } from '../policies/tool-policy.ts'

/** The rules of HTTP, and those of secrets that the HTTP guard itself judges. */
export type HttpRule = Extract<PolicyRule, `http.${string}`> | 'secret.place'

const howToAsk: Readonly<Record<HttpRule, string>> = {
  'http.url': 'Give a plain absolute URL such as "https://api.example.com/v1/items?page=2".',
  'http.userinfo': 'Send credentials in the Authorization header, as the placeholder of a secret.',
  'http.origin': 'Ask the operator to add scheme, host and port to http.origins of the policy.',
  'http.domain': 'Ask the operator to add the host to http.origins of the policy.',
  'http.address':
    'Only the operator can allow it, by naming the address in http.privateAddresses of the policy.',
  'http.host': 'No policy can allow this.',
  'http.method': `Use one of ${httpMethods.join(', ')}, or ask the operator to add it to http.methods of the policy.`,
  'http.header': 'Leave the header out or correct it.',
  'http.redirect':
    'Send the request to its final place yourself, or ask the operator for a larger http.maxRedirects.',
  'http.size':
    'Ask for less at a time, or ask the operator for a larger http.maxRequestBytes or http.maxResponseBytes.',
  'secret.place': 'Write the placeholder into a header, such as Authorization.',
}

/** A violation of HTTP with what would allow it. */
export function httpViolation(rule: HttpRule, tried: string): ToolPolicyViolation {
  return new ToolPolicyViolation({ rule, tried, howToAsk: howToAsk[rule] })
}

const maxShownLength = 200

/** A URL for messages: without query, which may hold what is nobody's business, and not too long. */
export function showUrl(url: URL): string {
  return showQuoted(shorten(`${url.protocol}//${url.host}${url.pathname}`))
}

/** A text that was meant as a URL, without its query and what stands before an @. */
export function showUrlText(text: string): string {
  const [withoutQuery = ''] = text.slice(0, 2_000).split('?')
  return showQuoted(shorten(withoutQuery.replace(/^([^/]*:)?(\/{0,3})[^/]*@/, '$1$2…@')))
}

function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
