/** Where a tool comes from. */
export type ToolSource =
  | { readonly type: 'built-in' }
  | { readonly type: 'mcp'; readonly server: string }
  | MadeToolSource

/** A tool that an agent made: which version, under which hash, whose, and who may see it. */
export interface MadeToolSource {
  readonly type: 'made'
  /** The kind of its definition, such as `compute`. */
  readonly kind: string
  readonly version: number
  /** SHA-256 over everything that was approved, as 64 hexadecimal digits. */
  readonly hash: string
  /** The principal that owns it, as `principalKey` gives it, such as `agent:alice`. */
  readonly owner: string
  /** `owner`: only its owner sees and calls it; `shared`: everybody in the namespace. */
  readonly visibility: 'owner' | 'shared'
  /** The signed decision under which it runs. */
  readonly approvalId?: string
}
