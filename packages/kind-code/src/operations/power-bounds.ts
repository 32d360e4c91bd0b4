import {
  type FilePolicy,
  type ToolPolicy,
  diffPolicies,
  narrowPolicies,
  readToolPolicy,
} from '@toolcrib/policy'
import { isAbsolute, resolve } from 'node:path'

/** What bounds the powers of every tool. */
export interface PowerBoundsOptions {
  /** The real path that relative paths start from. */
  readonly workspace: string
  /** What the operator allows; `tools` bounds callees only where it is given. */
  readonly maximumPolicy: ToolPolicy
  /** The largest answer of a server, in bytes. */
  readonly maxResponseBytes: number
}

interface Narrowed {
  readonly byOperator: ToolPolicy
  readonly byCaller: WeakMap<object, ToolPolicy>
}

/** Works out what a tool may touch in one call: what it declared, the operator allows, and all that led to the call may. */
export class PowerBounds {
  readonly #workspace: string
  readonly #maximum: ToolPolicy
  readonly #maxResponseBytes: number
  readonly #narrowed = new WeakMap<ToolPolicy, Narrowed>()

  /** @throws {ToolError} POLICY_INVALID when the operator's policy cannot be read. */
  constructor({ maximumPolicy, maxResponseBytes, workspace }: PowerBoundsOptions) {
    this.#workspace = workspace
    this.#maxResponseBytes = maxResponseBytes
    this.#maximum = this.#absolute(readToolPolicy(maximumPolicy))
  }

  /** What the operator allows, with absolute paths. */
  get maximum(): ToolPolicy {
    return this.#maximum
  }

  /**
   * The powers of one call. Gives the same object for the same objects.
   *
   * @throws {ToolError} POLICY_INVALID when a policy cannot be read, or the two have too much in common.
   */
  narrow(own: ToolPolicy, callerPolicy?: object): ToolPolicy {
    let narrowed = this.#narrowed.get(own)
    if (narrowed === undefined) {
      narrowed = { byOperator: this.#narrowToOperator(own), byCaller: new WeakMap() }
      this.#narrowed.set(own, narrowed)
    }
    if (callerPolicy === undefined) return narrowed.byOperator
    let policy = narrowed.byCaller.get(callerPolicy)
    if (policy === undefined) {
      policy = narrowPolicies(narrowed.byOperator, callerPolicy)
      narrowed.byCaller.set(callerPolicy, policy)
    }
    return policy
  }

  /** What of a policy the operator does not allow, in sentences; empty when all of it is allowed. */
  describeExcess(own: ToolPolicy): readonly string[] {
    const wanted = this.#withOperatorLimits(own)
    return diffPolicies(this.#narrowToOperator(own), wanted)
      .filter(({ change }) => change === 'added' || change === 'widened')
      .map(({ sentence }) => sentence)
  }

  #narrowToOperator(own: ToolPolicy): ToolPolicy {
    const { tools, ...rest } = this.#withOperatorLimits(own)
    // Callees are tools with policies of their own, and nobody can list those that are still to be made.
    if (this.#maximum.tools === undefined)
      return { ...narrowPolicies(rest, this.#maximum), ...(tools === undefined ? {} : { tools }) }
    return narrowPolicies({ ...rest, tools }, this.#maximum)
  }

  /** A tool declares places and names only. How much of them, and which private addresses, is the operator's to say. */
  #withOperatorLimits(own: ToolPolicy): ToolPolicy {
    const { fs_read, fs_write, http, ...rest } = this.#absolute(own)
    const { fs_read: maxRead, fs_write: maxWrite, http: maxHttp } = this.#maximum
    const { methods: _methods, origins: _origins, ...httpLimits } = maxHttp ?? { origins: [] }
    const maxResponseBytes = Math.min(
      this.#maxResponseBytes,
      httpLimits.maxResponseBytes ?? this.#maxResponseBytes,
    )
    return {
      ...rest,
      ...(fs_read && { fs_read: withLimit(fs_read, maxRead) }),
      ...(fs_write && { fs_write: withLimit(fs_write, maxWrite) }),
      ...(http && { http: { ...http, ...httpLimits, maxResponseBytes } }),
    }
  }

  #absolute(policy: ToolPolicy): ToolPolicy {
    const { fs_read, fs_write, ...rest } = policy
    return {
      ...rest,
      ...(fs_read && { fs_read: this.#absoluteFiles(fs_read) }),
      ...(fs_write && { fs_write: this.#absoluteFiles(fs_write) }),
    }
  }

  #absoluteFiles(files: FilePolicy): FilePolicy {
    const paths = files.paths.map((path) =>
      isAbsolute(path) ? path : resolve(this.#workspace, path).replaceAll('\\', '/'),
    )
    return { ...files, paths: [...new Set(paths)] }
  }
}

function withLimit(files: FilePolicy, maximum: FilePolicy | undefined): FilePolicy {
  return maximum?.maxBytes === undefined ? files : { ...files, maxBytes: maximum.maxBytes }
}
