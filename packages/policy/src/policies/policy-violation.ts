import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every rule that a guard can find broken, with what it asks for. Rules are part of the public contract. */
export const policyRules = {
  'fs.path': 'The path must lie in a folder that the policy allows for this kind of access.',
  'fs.symlink': 'No step of the path may be a symbolic link.',
  'fs.hardlink':
    'A file with several names may not be changed or read, since one name may lie outside.',
  'fs.special': 'Only plain files and folders may be used: no devices, pipes or sockets.',
  'fs.protected': 'Names that usually hold secrets or steer programs may not be used.',
  'fs.size': 'The file or the content is larger than the policy allows.',
  'http.url': 'The URL must be absolute, well-formed and free of control characters.',
  'http.userinfo': 'A URL may not hold a user name or a password.',
  'http.origin': 'The scheme and the port must be ones that the policy allows for this host.',
  'http.domain': 'The host must be one that the policy allows.',
  'http.address': 'The host must not resolve to a private, local or reserved address.',
  'http.host': 'The addresses of the host program itself are never reachable for tools.',
  'http.method': 'The method must be one that the policy allows.',
  'http.header': 'The header may not be set by a tool, or its text is malformed.',
  'http.redirect': 'A redirect may not lead too far, nor carry a body to another origin.',
  'http.size': 'The request or the answer is larger than the policy allows.',
  'secret.unknown': 'The secret must exist and be declared by the tool.',
  'secret.host': 'The secret may only be sent to the hosts that it is bound to.',
  'secret.method': 'The secret may only be sent with the methods that it is bound to.',
  'secret.path': 'The secret may only be sent to the paths that it is bound to.',
  'secret.place': 'A secret may only stand in a header.',
  'shell.command': 'The command must be one that the policy allows.',
  'shell.disabled': 'The policy allows no commands.',
  'tools.callee': 'The tool may only call the tools that its policy names.',
} as const

/** The name of a rule of {@link policyRules}. */
export type PolicyRule = keyof typeof policyRules

/** What is known about a violation. */
export interface PolicyViolationDetails {
  readonly rule: PolicyRule
  /** What was tried, in a few words and free of secrets, such as `read "/etc/passwd"`. */
  readonly tried: string
  /** What would allow it, and who can give that. */
  readonly howToAsk: string
  readonly cause?: unknown
}

/** The data of a {@link ToolPolicyViolation}, for programs. */
export interface PolicyViolationData extends JsonObject {
  readonly rule: PolicyRule
  readonly tried: string
  readonly howToAsk: string
}

/** A tool tried something that its policy does not allow. Nothing of it was done. */
export class ToolPolicyViolation extends ToolError<'POLICY_VIOLATION'> {
  override readonly name: string = 'ToolPolicyViolation'
  declare readonly data: PolicyViolationData

  constructor({ rule, tried, howToAsk, cause }: PolicyViolationDetails) {
    super('POLICY_VIOLATION', `Refused: ${tried}. ${policyRules[rule]} ${howToAsk}`, {
      data: { rule, tried, howToAsk },
      ...(cause === undefined ? {} : { cause }),
    })
  }

  get rule(): PolicyRule {
    return this.data.rule
  }

  /** Tells whether a value is a policy violation, from any installed copy of this package. */
  static isViolation(value: unknown): value is ToolPolicyViolation {
    return ToolError.is(value, 'POLICY_VIOLATION') && typeof value.data['rule'] === 'string'
  }
}
