import { realpathSync } from 'node:fs'
import type { ToolPolicy } from '@toolcrib/policy'
import { type FileGuard, createFileGuard } from '@toolcrib/policy/files'
import type { DeniedService, HttpGuardOptions } from '@toolcrib/policy/http'
import type { SecretVault } from '@toolcrib/policy/secrets'
import {
  type JsonObject,
  type ToolContext,
  type ToolDefinition,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import type { HostOperations } from '@toolcrib/sandbox'
import { toolsmakerError } from '@toolcrib/toolsmaker/kind'
import { GuardCache } from './guard-cache.ts'
import { guardedOperations } from './guarded-operations.ts'
import { PowerBounds } from './power-bounds.ts'

/** What code tools can be given at most, and how it is guarded. */
export interface CodePowersOptions {
  /** The folder that relative paths start from. It must be there. */
  readonly workspace: string
  /**
   * What the operator allows every code tool at most. Limits and private addresses are taken from here, since tools declare
   * places and names only. `tools` bounds callees where it is given; everything else that is absent is not given.
   *
   * @default files of up to 5 MiB in the workspace, http and https to every public host, every secret of the vault
   */
  readonly maximumPolicy?: ToolPolicy
  /** Files and folders that no tool reaches, also below the workspace. @default none */
  readonly deniedPaths?: readonly string[]
  /** Services that no tool reaches: the host's own. @default none */
  readonly deniedServices?: readonly DeniedService[]
  /** @default no secrets */
  readonly vault?: SecretVault
  /** The largest answer of a server that is handed to a tool, in bytes. @default 5_242_880 */
  readonly maxResponseBytes?: number
  /** The tools that are there now, to compare callees with the versions that were approved at the moment of a call. */
  readonly findTool?: (name: string) => ToolDefinition | undefined
  /** How many sets of powers are held open; the one that was not used for longest is closed first. @default 64 */
  readonly maxOpenGuards?: number
  /** Settings of the HTTP guard that are no policy. */
  readonly http?: Pick<HttpGuardOptions, 'lookup' | 'certificateAuthorities' | 'userAgent'>
}

/** What one call of a tool brings with it. */
export interface PowersOfCall {
  /** What the tool declares, as `toolPolicyOf` gives it; the same object at each call. */
  readonly own: ToolPolicy
  /** What those that led to the call may do together; see `callerPolicy` of the tool context. */
  readonly callerPolicy?: JsonObject | undefined
  readonly invoke: ToolContext['invoke']
  /** How long the call has left, in milliseconds. */
  readonly remainingMs: () => number
}

/** The powers of one call, until it is over. */
export interface GrantedPowers {
  /** What the call may touch: what all of its chain and the operator allow. */
  readonly policy: ToolPolicy
  /** Every operation there is; those that the policy does not give throw a violation. */
  readonly operations: HostOperations
  /** The call is over. */
  release(): void
}

/** What code tools may touch, guarded outside of the sandbox. */
export interface CodePowers {
  /** @throws {ToolError} POLICY_INVALID when the policy of a caller cannot be read. */
  grant(call: PowersOfCall): GrantedPowers
  /** What of a policy the operator does not allow any tool, in sentences; empty when all of it is allowed. */
  describeExcess(own: ToolPolicy): readonly string[]
  /** Closes folders and connections, once the calls that use them are over. */
  close(): void
}

const defaultFileBytes = 5_242_880

const codePowersOptionNames: KnownOptions<CodePowersOptions> = {
  workspace: true,
  maximumPolicy: true,
  deniedPaths: true,
  deniedServices: { host: true, port: true, path: true },
  vault: true,
  maxResponseBytes: true,
  findTool: true,
  maxOpenGuards: true,
  http: { lookup: true, certificateAuthorities: true, userAgent: true },
}

/**
 * Opens what code tools can be given.
 *
 * @throws {ToolError} POLICY_INVALID when the workspace or a path of the operator's policy is not there, or it cannot be read.
 */
export function createCodePowers(options: CodePowersOptions): CodePowers {
  assertOptions<CodePowersOptions>('createCodePowers', options, codePowersOptionNames)
  const { deniedPaths = [], maxOpenGuards = 64, maxResponseBytes = 5_242_880, vault } = options
  assertCount('maxOpenGuards', maxOpenGuards)
  assertCount('maxResponseBytes', maxResponseBytes)
  const workspace = openWorkspace(options.workspace)
  const bounds = new PowerBounds({
    workspace,
    maximumPolicy: options.maximumPolicy ?? defaultMaximum(workspace, vault),
    maxResponseBytes,
  })
  const operator = openOperatorGuard(bounds.maximum, { workspace, denied: deniedPaths })
  const cache = new GuardCache({
    workspace,
    operator,
    maxOpen: maxOpenGuards,
    denied: options.deniedServices ?? [],
    vault,
    http: options.http ?? {},
  })
  return {
    grant(call) {
      const policy = bounds.narrow(call.own, call.callerPolicy)
      const lease = cache.lease(policy)
      const operations = guardedOperations({
        call,
        policy,
        operator: bounds.maximum,
        byOperator: bounds.narrow(call.own),
        workspace,
        guards: lease.guards,
        vault,
        findTool: options.findTool,
      })
      return { policy, operations, release: () => lease.release() }
    },
    describeExcess: (own) => bounds.describeExcess(own),
    close() {
      cache.close()
      operator.close()
    },
  }
}

function defaultMaximum(workspace: string, vault: SecretVault | undefined): ToolPolicy {
  const files = { paths: [workspace], maxBytes: defaultFileBytes }
  const names = vault?.names ?? []
  return {
    fs_read: files,
    fs_write: files,
    http: { origins: ['https://*:*', 'http://*:*'] },
    ...(names.length === 0 ? {} : { secrets: { names } }),
  }
}

function openOperatorGuard(
  { fs_read: read, fs_write: write }: ToolPolicy,
  { denied, workspace }: { readonly workspace: string; readonly denied: readonly string[] },
): FileGuard {
  return createFileGuard({
    read: read?.paths ?? [],
    write: write?.paths ?? [],
    baseFolder: workspace,
    denied,
    ...(read?.maxBytes === undefined ? {} : { maxReadBytes: read.maxBytes }),
    ...(write?.maxBytes === undefined ? {} : { maxWriteBytes: write.maxBytes }),
  })
}

function openWorkspace(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (cause) {
    throw toolsmakerError(
      'REQUEST_INVALID',
      `createCodePowers: workspace ${JSON.stringify(folder)} is no folder that can be used. Make it first.`,
      { cause, data: { field: 'workspace' } },
    )
  }
}

function assertCount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return
  throw toolsmakerError(
    'REQUEST_INVALID',
    `createCodePowers: ${field} must be a whole number of 1 or more, got ${value}.`,
    { data: { field } },
  )
}
