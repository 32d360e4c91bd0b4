/** What was found in a text. */
export interface FoundSecret {
  /** Such as `a private key`. */
  readonly kind: string
  readonly value: string
}

interface SecretPattern {
  readonly kind: string
  /** In small letters; a text without any of them is not looked at, which is ten times as fast. */
  readonly marks: readonly string[]
  /** Global; the group `secret` holds the value where more than it must match. Linear: no part can match in two ways. */
  readonly pattern: RegExp
  /** What its form alone does not tell apart from ordinary words. */
  readonly test?: (secret: string) => boolean
}

/** Words have no digits, and capitals only at their beginning. */
function isRandom(text: string): boolean {
  return /\d/.test(text) || (text.length >= 20 && /[a-z][A-Z]/.test(text))
}

/** Whether it is a name and a password, as they are sent. */
function isPair(text: string): boolean {
  try {
    return atob(text).includes(':')
  } catch {
    return false
  }
}

const patterns: readonly SecretPattern[] = [
  {
    kind: 'a private key',
    marks: ['private key'],
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,8000}/g,
  },
  {
    kind: 'a JSON web token',
    marks: ['eyj'],
    pattern: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{4,8000}\.[\w-]{8,2000}/g,
  },
  { kind: 'an Anthropic key', marks: ['sk-ant'], pattern: /\bsk-ant-[\w-]{16,200}/g },
  {
    kind: 'an OpenAI key',
    marks: ['sk-'],
    pattern: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_]{20,200}/g,
  },
  {
    kind: 'a Stripe key',
    marks: ['k_live', 'k_test'],
    pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,200}/g,
  },
  {
    kind: 'a Stripe webhook secret',
    marks: ['whsec_'],
    pattern: /\bwhsec_[A-Za-z0-9+/=]{16,100}/g,
  },
  {
    kind: 'a GitHub token',
    marks: ['gh', 'github_pat'],
    pattern: /\b(?:gh[oprsu]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})/g,
  },
  { kind: 'a GitLab token', marks: ['glpat-'], pattern: /\bglpat-[\w-]{16,100}/g },
  { kind: 'a Slack token', marks: ['xox'], pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,250}/g },
  {
    kind: 'the secret address of a Slack webhook',
    marks: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/services\/[A-Z0-9]{6,20}\/[A-Z0-9]{6,20}\/\w{10,40}/g,
  },
  {
    kind: 'the secret address of a Discord webhook',
    marks: ['api/webhooks'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[\w-]{20,100}/g,
  },
  { kind: 'an AWS access key', marks: ['akia', 'asia'], pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'a Google API key', marks: ['aiza'], pattern: /\bAIza[\w-]{35}/g },
  { kind: 'a Google OAuth token', marks: ['ya29.'], pattern: /\bya29\.[\w-]{20,1000}/g },
  { kind: 'a SendGrid key', marks: ['sg.'], pattern: /\bSG\.[\w-]{16,40}\.[\w-]{16,80}/g },
  { kind: 'a Telegram bot token', marks: [':aa'], pattern: /\b\d{8,10}:AA[\w-]{33}\b/g },
  { kind: 'a WhatsApp or Facebook token', marks: ['eaa'], pattern: /\bEAA[A-Za-z0-9]{40,400}/g },
  { kind: 'a Twilio key', marks: ['sk'], pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'a Hugging Face token', marks: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{20,100}/g },
  { kind: 'an npm token', marks: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { kind: 'a Shopify token', marks: ['shp'], pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g },
  {
    kind: 'a bearer token',
    marks: ['bearer'],
    pattern: /\bBearer\s{1,4}(?<secret>[\w.~+/-]{12,4000}=*)/gi,
    test: isRandom,
  },
  {
    kind: 'a password',
    marks: ['basic'],
    pattern: /\bBasic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,2000}={0,2})/g,
    test: isPair,
  },
  {
    kind: 'a password in an address',
    marks: ['@'],
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@?#{}"'`]{0,200}:(?<secret>[^\s/@?#{}"'`]{1,500})@/gi,
  },
  {
    kind: 'a key in an address',
    marks: ['='],
    pattern:
      /[?&](?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|key|secret|client[_-]?secret|password|signature|sig)=(?<secret>[\w.~%+/-]{8,2000})/gi,
  },
  {
    kind: 'a secret',
    marks: ['key', 'token', 'secret', 'passw'],
    pattern:
      /["'`]?\b(?:api[_-]?key|apikey|x-api-key|access[_-]?token|auth[_-]?token|refresh[_-]?token|client[_-]?secret|secret[_-]?key|private[_-]?key|password|passwd)["'`]?\s{0,4}[:=]\s{0,4}["'`](?<secret>[^\s"'`{}$]{8,2000})["'`]/gi,
  },
]

/** Names of headers, fields and parameters whose value is a secret, whatever it looks like. */
const secretNames =
  /^(?:proxy-)?authorization$|^cookie$|^x-auth|(?:^|[_-])(?:api[_-]?key|token|secret|password|passwd|pwd|passphrase)$|^(?:apikey|accesstoken|authtoken|refreshtoken|clientsecret|secretkey|privatekey|bearertoken)$/i

/** What stands in examples in place of a secret. */
const placeholder =
  /^(?:<.*>|\[.*\]|\{.*\}|x{3,}|\*{3,}|\.{3,}|(?:your|my|the|replace|change|insert|enter|put|add|some|example|dummy|test|sample|placeholder|todo|redacted)[\s_-].*|.*(?:placeholder|your[_-](?:api|key|token|secret)|changeme|replace[_-]?me|[_-]here).*)$/i

/** Secrets that stand in a text, as far as they can be told by their form. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const small = text.toLowerCase()
  return patterns
    .filter(({ marks }) => marks.some((mark) => small.includes(mark)))
    .flatMap(({ kind, pattern, test = () => true }) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const value = match.groups?.['secret'] ?? match[0]
        return placeholder.test(value) || !test(value) ? [] : [{ kind, value }]
      }),
    )
}

/** Whether a text under this name is a secret by its name alone. */
export function isSecretUnder(name: string, text: string): boolean {
  if (!secretNames.test(name.trim())) return false
  return text.length >= 8 && !/\s/.test(text.trim()) && /\d/.test(text) && !placeholder.test(text)
}

/** Enough to find it, and no more. */
export function hint(value: string): string {
  return `${value.slice(0, Math.min(4, Math.floor(value.length / 4))).toWellFormed()}… (${value.length} characters)`
}
