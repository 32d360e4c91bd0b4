import type { ToolPolicy } from '@toolcrib/policy'
import type { FileGuard } from '@toolcrib/policy/files'
import {
  type DeniedService,
  type HttpGuard,
  type HttpGuardOptions,
  createHttpGuard,
} from '@toolcrib/policy/http'
import type { SecretVault } from '@toolcrib/policy/secrets'
import { type JsonValue, canonicalJson } from '@toolcrib/registry'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import { ToolFolders } from '../tool-file/tool-folders.ts'

/** What guards are made from. */
export interface GuardCacheOptions {
  readonly workspace: string
  readonly operator: FileGuard
  readonly denied: readonly DeniedService[]
  readonly vault: SecretVault | undefined
  readonly http: Pick<HttpGuardOptions, 'lookup' | 'certificateAuthorities' | 'userAgent'>
  /** How many policies have guards at once. */
  readonly maxOpen: number
}

/** The guards of one policy. Each is opened when it is first needed. */
export interface PolicyGuards {
  folders(): ToolFolders
  http(): HttpGuard
}

/** Guards that a call uses, until it says that it is over. */
export interface GuardLease {
  readonly guards: PolicyGuards
  release(): void
}

class OpenGuards implements PolicyGuards {
  /** Calls that use them. */
  users = 0
  isDropped = false
  readonly #policy: ToolPolicy
  readonly #options: GuardCacheOptions
  #folders: ToolFolders | undefined
  #http: HttpGuard | undefined

  constructor(policy: ToolPolicy, options: GuardCacheOptions) {
    this.#policy = policy
    this.#options = options
  }

  folders(): ToolFolders {
    this.#folders ??= new ToolFolders({ policy: this.#policy, ...this.#options })
    return this.#folders
  }

  http(): HttpGuard {
    this.#http ??= this.#openHttp()
    return this.#http
  }

  #openHttp(): HttpGuard {
    const { denied, http, vault } = this.#options
    const { http: policy = { origins: [] }, secrets } = this.#policy
    return createHttpGuard({
      policy,
      denied,
      // Also without secrets: then every placeholder is refused.
      ...(vault === undefined ? {} : { secrets: vault.fillerFor(secrets?.names ?? []) }),
      ...http,
    })
  }

  closeWhenUnused(): void {
    if (!this.isDropped || this.users > 0) return
    this.#folders?.close()
    this.#http?.close()
    this.#folders = undefined
    this.#http = undefined
  }
}

/** Guards by what they allow: opening them costs more than a call. */
export class GuardCache {
  readonly #options: GuardCacheOptions
  readonly #open = new Map<string, OpenGuards>()
  readonly #keys = new WeakMap<ToolPolicy, string>()
  #isClosed = false

  constructor(options: GuardCacheOptions) {
    this.#options = options
  }

  /** The guards of a policy. They stay open at least until they are released. */
  lease(policy: ToolPolicy): GuardLease {
    if (this.#isClosed)
      throw toolsmakerError('STORE_CLOSED', 'The powers of code tools are closed.')
    const key = this.#keyOf(policy)
    const guards = this.#open.get(key) ?? new OpenGuards(policy, this.#options)
    // Moves it to the end: the first one is that which was not used for longest.
    this.#open.delete(key)
    this.#open.set(key, guards)
    guards.users += 1
    this.#dropOldest()
    let isReleased = false
    return {
      guards,
      release: () => {
        if (isReleased) return
        isReleased = true
        guards.users -= 1
        guards.closeWhenUnused()
      },
    }
  }

  /** Closes guards that nobody uses, and the others when they are released. */
  close(): void {
    this.#isClosed = true
    for (const key of this.#open.keys()) this.#drop(key)
  }

  #keyOf(policy: ToolPolicy): string {
    let key = this.#keys.get(policy)
    if (key === undefined) {
      key = canonicalJson(policy as unknown as JsonValue)
      this.#keys.set(policy, key)
    }
    return key
  }

  #dropOldest(): void {
    const [oldest] = this.#open.keys()
    if (this.#open.size > this.#options.maxOpen && oldest !== undefined) this.#drop(oldest)
  }

  #drop(key: string): void {
    const guards = this.#open.get(key)
    this.#open.delete(key)
    if (guards === undefined) return
    guards.isDropped = true
    guards.closeWhenUnused()
  }
}
