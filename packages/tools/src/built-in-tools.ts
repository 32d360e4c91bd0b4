import {
  type HttpPolicy,
  type ToolPolicy,
  ToolPolicyViolation,
  narrowPolicies,
} from '@toolcrib/policy'
import { createFileGuard } from '@toolcrib/policy/files'
import {
  type DeniedService,
  type HttpGuard,
  type HttpGuardOptions,
  createHttpGuard,
} from '@toolcrib/policy/http'
import type { SecretVault } from '@toolcrib/policy/secrets'
import { type ToolDefinition, type KnownOptions, assertOptions } from '@toolcrib/registry'
import { readBuiltInPolicy } from './built-in-policy.ts'
import { openWorkspace } from './built-in-workspace.ts'
import { createCallerGuards } from './caller-guards.ts'
import { createFileCallerGuards } from './file/file-caller-guards.ts'
import { type FileToolOptions, createFileTool } from './file/file-tool.ts'
import { type HttpToolOptions, createHttpTool } from './http/http-tool.ts'
import { type ShellToolOptions, createShellTool } from './shell/shell-tool.ts'
import { isSqlDatabase } from './sql/sql-drizzle.ts'
import { type SqlToolOptions, createSqlTool } from './sql/sql-tool.ts'

/** What {@link createSqlTool} takes: a `SqlDatabase`, or a drizzle instance of your own. */
export type BuiltInDatabase = Parameters<typeof createSqlTool>[0]

/** Which built-in tools there are, and what they may touch. */
export interface BuiltInToolsOptions {
  /** The folder for the agent's files, where relative paths and commands start. Made with mode 0700 if it is missing. */
  readonly workspace: string
  /**
   * What the file and http tools may touch, in whole: a capability that is absent is not given, and a tool that is left
   * with none is not made. @default `defaultToolPolicy(workspace)`, and every secret of the vault
   */
  readonly policy?: ToolPolicy
  /** @default false: no shell until it is switched on */
  readonly shell?: boolean | Omit<ShellToolOptions, 'workspace'>
  readonly file?: boolean | Omit<FileToolOptions, 'guard' | 'callerGuards'>
  readonly http?:
    | boolean
    | (Omit<HttpToolOptions, 'guard' | 'callerGuards' | 'placeholders'> & HttpGuardSettings)
  readonly sql?: boolean | SqlToolOptions
  /** Secrets that the http tool may send, through the placeholders that its description names. @default none */
  readonly vault?: SecretVault
  /** What no tool reaches, whatever the policy says: the host's own data and services. */
  readonly denied?: {
    /** Files and folders, also below the workspace; hidden from commands in a sandbox. */
    readonly paths?: readonly string[]
    readonly services?: readonly DeniedService[]
  }
}

/** Settings of the http guard that are no policy. */
export type HttpGuardSettings = Pick<
  HttpGuardOptions,
  'lookup' | 'certificateAuthorities' | 'userAgent'
>

/** The built-in tools of one host, with what they hold open. */
export interface BuiltInTools {
  /** Those that are switched on: at most `file`, `http`, `shell` and `sql`. */
  readonly tools: readonly ToolDefinition[]
  /** What the file and http tools may touch, for `describePolicy`. */
  readonly policy: ToolPolicy
  /** The real path of the workspace. */
  readonly workspace: string
  /** Lets go of folders, connections and the database (a drizzle instance stays open, being yours). May be called again. */
  close(): Promise<void>
}

const builtInToolsOptionNames: KnownOptions<BuiltInToolsOptions> = {
  workspace: true,
  policy: true,
  shell: {
    commands: true,
    readable: true,
    hidden: true,
    network: true,
    containment: true,
    environment: true,
    inputVariables: true,
    timeoutMs: true,
    maxOutputBytes: true,
    killAfterMs: true,
  },
  file: { timeoutMs: true, maxReadBytes: true, maxEntries: true },
  http: {
    cookieJar: true,
    timeoutMs: true,
    retries: true,
    maxOutputBytes: true,
    lookup: true,
    certificateAuthorities: true,
    userAgent: true,
  },
  sql: { timeoutMs: true, maxRows: true, maxBytes: true, readOnly: true, name: true, risk: true },
  vault: true,
  denied: { paths: true, services: { host: true, port: true, path: true } },
}

/**
 * Makes the built-in tools with the guards that they need. Safe without options: files in the workspace, http to public
 * hosts, SQL on the database that is given, no shell.
 *
 * @param database where SQL runs; none means no sql tool
 * @throws {ToolError} POLICY_INVALID when the policy cannot be used.
 * @throws {ToolError} FOLDER_INVALID when the workspace is no folder and cannot be made one.
 */
export function createBuiltInTools(
  database: BuiltInDatabase | undefined,
  options: BuiltInToolsOptions,
): BuiltInTools {
  assertOptions<BuiltInToolsOptions>('createBuiltInTools', options, builtInToolsOptionNames)
  const workspace = openWorkspace(options.workspace)
  const policy = readBuiltInPolicy(options.policy, { workspace, vault: options.vault })
  const closers: (() => void | Promise<void>)[] = []
  const tools: ToolDefinition[] = []
  try {
    addFileTool(tools, closers, { ...options, workspace, policy })
    addHttpTool(tools, closers, { ...options, policy })
    const { shell = false, sql = true } = options
    if (shell !== false) {
      const settings = shell === true ? {} : shell
      const hidden = [...(options.denied?.paths ?? []), ...(settings.hidden ?? [])]
      tools.push(createShellTool({ ...settings, hidden, workspace }))
    }
    if (database !== undefined && sql !== false)
      tools.push(createSqlTool(database, sql === true ? {} : sql))
  } catch (error) {
    for (const close of closers) void close()
    throw error
  }
  if (database !== undefined && isSqlDatabase(database)) closers.push(() => database.close())
  return { tools, policy, workspace, close: closeAll(closers) }
}

function addFileTool(
  tools: ToolDefinition[],
  closers: (() => void)[],
  options: BuiltInToolsOptions & { readonly policy: ToolPolicy },
): void {
  const { file = true, policy, workspace, denied } = options
  const { fs_read: read, fs_write: write } = policy
  if (file === false || (read === undefined && write === undefined)) return
  const guard = createFileGuard({
    read: read?.paths ?? [],
    write: write?.paths ?? [],
    baseFolder: workspace,
    denied: denied?.paths ?? [],
    ...(read?.maxBytes === undefined ? {} : { maxReadBytes: read.maxBytes }),
    ...(write?.maxBytes === undefined ? {} : { maxWriteBytes: write.maxBytes }),
  })
  const callerGuards = createFileCallerGuards(guard, workspace)
  // Those within it first.
  closers.push(
    () => callerGuards.close(),
    () => guard.close(),
  )
  const settings = file === true ? {} : file
  // What the guard would refuse as a whole can be read page by page.
  const { maxReadBytes = 5_242_880 } = settings
  const pageBytes = Math.max(4, Math.min(maxReadBytes, read?.maxBytes ?? 1_048_576))
  tools.push(createFileTool({ ...settings, maxReadBytes: pageBytes, guard, callerGuards }))
}

function addHttpTool(
  tools: ToolDefinition[],
  closers: (() => void)[],
  options: BuiltInToolsOptions & { readonly policy: ToolPolicy },
): void {
  const { http = true, policy, vault, denied } = options
  if (http === false || policy.http === undefined) return
  const { lookup, certificateAuthorities, userAgent, ...settings } = http === true ? {} : http
  const names = policy.secrets?.names ?? []
  const guardOf = (allowed: HttpPolicy, secrets: readonly string[]): HttpGuard =>
    createHttpGuard({
      policy: allowed,
      denied: denied?.services ?? [],
      ...(vault === undefined || policy.secrets === undefined
        ? {}
        : { secrets: vault.fillerFor(secrets) }),
      ...(lookup === undefined ? {} : { lookup }),
      ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
      ...(userAgent === undefined ? {} : { userAgent }),
    })
  const guard = guardOf(policy.http, names)
  const callerGuards = createCallerGuards({
    open: (callerPolicy) => {
      const { http: shared, secrets } = narrowPolicies(webPart(policy), webPart(callerPolicy))
      return shared === undefined ? refuseAll : guardOf(shared, secrets?.names ?? [])
    },
  })
  closers.push(
    () => callerGuards.close(),
    () => guard.close(),
  )
  const placeholders = Object.fromEntries(
    names.map((name) => [name, vault?.placeholder(name) ?? '']),
  )
  tools.push(createHttpTool({ ...settings, guard, callerGuards, placeholders }))
}

function webPart({ http, secrets }: ToolPolicy): ToolPolicy {
  return { http, secrets }
}

/** For a caller that has no host in common with the tool. */
const refuseAll: HttpGuard = {
  request: async ({ method = 'GET', url }) => {
    throw new ToolPolicyViolation({
      rule: 'http.domain',
      tried: `${method} ${url.slice(0, 200)}`,
      howToAsk: 'Ask an operator.',
    })
  },
  close: () => {},
}

function closeAll(closers: (() => void | Promise<void>)[]): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= (async () => {
      const outcomes = await Promise.allSettled(closers.map(async (close) => close()))
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    })()
    return closed
  }
}
