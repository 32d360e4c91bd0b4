import { kernelOptionNames } from './kernel-option-names.ts'
import { type DynamicToolService, createFactoryTools, loadCustomTools } from '@toolcrib/factory'
import { createComputeKind } from '@toolcrib/kind-compute'
import { lockFolder } from '@toolcrib/folder-lock'
import { createInvoker } from '@toolcrib/invoke'
import { createRedactor } from '@toolcrib/redaction'
import type { DeniedService } from '@toolcrib/policy/http'
import {
  type CallLog,
  type Invoker,
  type Logger,
  type ToolDefinition,
  ToolRegistry,
  silentLogger,
  assertOptions,
} from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import type { BuiltInStanding } from '../tools/built-in/built-in-standing.ts'
import { readDatabaseAddress } from '../settings/database-address.ts'
import { openBuiltInTools } from '../tools/built-in/open-built-in-tools.ts'
import { PolicyAudit, toPolicyBlock } from '../tools/built-in/policy-audit.ts'
import { type ToolGround, openToolGround } from '../tools/built-in/tool-ground.ts'
import type { ToolSettings } from '../settings/tool-settings.ts'
import { ClosingOrder } from './closing.ts'
import { type SandboxSettings, chooseSandbox } from '../tools/code/choose-sandbox.ts'
import { type CodeTools, openCodeTools } from '../tools/code/open-code-tools.ts'
import { openDynamicTools } from '../tools/code/open-dynamic-tools.ts'
import { type DataFolder, type DataFolderOptions, locateData } from './data-folder.ts'
import { hostError } from '../host-error.ts'
import { inspectRegularly } from '../tools/n8n/inspect-regularly.ts'
import type { N8nTools, openN8nTools as OpenN8nTools } from '../tools/n8n/open-n8n-tools.ts'
import { callLogAtFirstUse } from './call-log-at-first-use.ts'
import { namedWorkspace } from '../settings/named-workspace.ts'
import { openCallLog } from './open-call-log.ts'
import { openToolsmaker } from './open-toolsmaker.ts'

/** What a host is made of. */
export interface KernelOptions extends DataFolderOptions {
  /** A PostgreSQL connection string. @default environment DATABASE_URL, else an embedded database in the data folder */
  readonly databaseUrl?: string | undefined
  /** Tools of your own. The only way for trusted code to become a tool: nothing in a folder is ever imported. */
  readonly tools?: readonly ToolDefinition[]
  /**
   * What the built-in tools (file, http, shell, sql) may do, and code tools at most; `false` for none of them.
   *
   * @default what `tool-settings.json` in the trust folder says; without it files in the workspace, http to public hosts, SQL on
   * a database of its own, no shell
   */
  readonly builtInTools?: ToolSettings | false
  /** Where code tools run. @default environment TOOLCRIB_SANDBOX, else the settings', else worker threads */
  readonly sandbox?: SandboxSettings
  /**
   * The folder for the agent's files.
   *
   * @default environment TOOLCRIB_WORKSPACE, else the settings', else `workspace` in the data folder
   */
  readonly workspace?: string | undefined
  /** Services that tools never reach over HTTP, whatever their policy says. The host's own databases are always among them. */
  readonly deniedServices?: readonly DeniedService[]
  /** @default 'default' */
  readonly namespace?: string
  readonly logger?: Logger
  /**
   * Whether files of the dynamic folder become proposals for as long as the host runs; otherwise those that are there at its start do.
   *
   * @default false
   */
  readonly watchDynamicTools?: boolean
  /** How long shutting down waits for calls that run, in milliseconds. @default 10_000 */
  readonly drainMs?: number
}

/** How many tools a host has. */
export interface ToolCounts {
  readonly builtIn: number
  readonly custom: number
  readonly total: number
}

/** How a host is. */
export interface Health {
  readonly status: 'ok' | 'paused'
  readonly pid: number
  readonly startedAt: string
  readonly dataFolder: string
  readonly trustFolder: string
  readonly database: 'embedded' | 'postgres'
  /** The folder for the agent's files; absent without built-in tools. */
  readonly workspace?: string
  readonly namespace: string
  readonly tools: ToolCounts
  readonly waitingForApproval: number
  /** Why the event log is not the one that this host knows, as long as nobody has accepted it. */
  readonly logProblem?: string
}

/** A running host: one registry, one invocation path, one lifecycle, one log. */
export interface Kernel {
  readonly folder: DataFolder
  readonly registry: ToolRegistry
  readonly toolsmaker: Toolsmaker
  readonly invoker: Invoker
  readonly callLog: CallLog
  readonly logger: Logger
  /** What the built-in tools are and may do; absent without them. */
  readonly builtInTools: BuiltInStanding | undefined
  /** What code tools run in and are held to; absent without built-in tools. */
  readonly code: CodeTools | undefined
  /** n8n tools: where their server is, what is on it; absent where the settings name no server. */
  readonly n8n: N8nTools | undefined
  /** The files of the dynamic folder; absent where there are none and none are watched for. */
  readonly dynamicTools: DynamicToolService | undefined
  health(): Health
  /** Takes no more calls, waits for those that run, writes what is pending, and lets go of the data folder. */
  close(): Promise<void>
}

/**
 * Starts a host in this process: owns the data folder, opens log, trust and lifecycle, registers the built-in tools, then
 * verifies and registers the made ones. Whatever fails closes again what was opened.
 *
 * @throws {FolderLockedError} FOLDER_LOCKED when another process runs a host on the data folder.
 */
export async function createKernel(options: KernelOptions = {}): Promise<Kernel> {
  assertOptions<KernelOptions>('createKernel', options, kernelOptionNames)
  return bootKernel(options, { callLog: 'at-start' })
}

/** How a host begins. */
export interface BootOptions {
  /** When the call log is opened. A host that stays opens it at its start, so that what is wrong with it shows there. */
  readonly callLog: 'at-start' | 'at-first-use'
}

/** {@link createKernel}, for a host that stays or one that lives for one command. */
export async function bootKernel(options: KernelOptions, how: BootOptions): Promise<Kernel> {
  const { logger = silentLogger } = options
  const closing = new ClosingOrder(logger)
  try {
    return await boot(options, { ...how, logger, closing })
  } catch (error) {
    await closing.close()
    throw error
  }
}

async function boot(
  options: KernelOptions,
  parts: BootOptions & { readonly logger: Logger; readonly closing: ClosingOrder },
): Promise<Kernel> {
  const { logger, closing } = parts
  const { environment = process.env, namespace = 'default', drainMs = 10_000 } = options
  const folder = locateData(options)
  assertNamespace(namespace)
  const databaseUrl = readDatabaseUrl(options.databaseUrl ?? environment['DATABASE_URL'])
  const lock = await lockFolder(folder.root, { purpose: 'toolcrib host' })
  closing.add('the data folder', () => lock.release())

  // First, since settings that cannot be used should cost no time.
  const ground = await openGround(options, { folder, databaseUrl })
  const builtInTools = ground === undefined ? undefined : openBuiltInTools(ground, folder)
  if (builtInTools !== undefined) closing.add('the built-in tools', () => builtInTools.close())

  const openLog = (): Promise<CallLog> =>
    openCallLog({ databaseUrl, directory: folder.database, namespace, logger })
  const atFirstUse = parts.callLog === 'at-first-use' ? callLogAtFirstUse(openLog) : undefined
  const callLog = atFirstUse?.log ?? (await openLog())
  closing.add('the call log', () => callLog.close())

  const registry = new ToolRegistry({ logger })
  const code = ground === undefined ? undefined : openCode(options, { ground, registry, folder })
  const closeCode = async (): Promise<void> => code?.close()
  closing.add('code tools', closeCode)
  const n8n = ground && (await openN8n(ground, { folder, namespace, environment }))
  closing.add('the connections to n8n', () => n8n?.close())
  const kinds = [
    createComputeKind(),
    ...(code?.kind === undefined ? [] : [code.kind]),
    ...(n8n?.kind === undefined ? [] : [n8n.kind]),
  ]
  const toolsmaker = await openToolsmaker({
    folder,
    namespace,
    registry,
    logger,
    kinds,
    privateAddresses: [
      ...(code?.standing.policy.http?.privateAddresses ?? []),
      ...(n8n?.standing.privateAddresses ?? []),
    ],
  })
  closing.add('the toolsmaker', () => toolsmaker.close())
  code?.connect(toolsmaker)
  // Once more, and first: what hangs in the sandbox must not keep the toolsmaker waiting.
  closing.add('the sandbox', closeCode)

  const audit = new PolicyAudit({
    record: (block) => toolsmaker.recordPolicyBlock(block),
    logger,
  })
  closing.add('the record of policy violations', () => audit.close())
  for (const tool of [
    ...createFactoryTools({
      toolsmaker,
      ...(code?.kind && { code: code.factory }),
      ...(n8n?.factory && { n8n: n8n.factory }),
    }),
    ...(builtInTools?.tools ?? []),
    ...(options.tools ?? []),
  ])
    registry.register(tool)
  const builtIn = registry.count()
  const custom = await loadCustomTools(registry, { toolsmaker, logger })
  n8n?.beginToWait()
  if (n8n?.kind !== undefined) {
    const { inspectEveryMs: everyMs } = n8n.standing
    const inspection = inspectRegularly(toolsmaker, { everyMs, logger })
    closing.add('looking at n8n', () => inspection.stop())
  }
  const { watchDynamicTools: watch = false } = options
  const directory = folder.dynamicTools
  const dynamicTools =
    code && (await openDynamicTools({ directory, toolsmaker, code, logger, watch }))
  closing.add('the dynamic folder', () => dynamicTools?.shutdown())
  const counts = (): ToolCounts => ({
    builtIn,
    custom: registry.count() - builtIn,
    total: registry.count(),
  })
  logger.info({ builtIn, custom, total: registry.count() }, 'Tools registered')

  const hostSecrets = databaseUrl === undefined ? [] : readDatabaseAddress(databaseUrl).secrets
  const invoker = createInvoker({
    registry,
    log: callLog,
    namespace,
    logger,
    redactor: createRedactor({
      secrets: () => [
        ...hostSecrets,
        ...(ground?.listSecrets() ?? []),
        ...(n8n?.listSecrets() ?? []),
      ],
    }),
    checkCallable: (tool, principal) => toolsmaker.checkCallable(tool, principal),
    onPolicyViolation: (violation) => audit.report(toPolicyBlock(violation)),
  })
  toolsmaker.onStop((stop) => invoker.withdraw(stop))
  closing.add('the invoker', () => invoker.close({ timeoutMs: drainMs }))

  const startedAt = new Date().toISOString()
  return {
    folder,
    registry,
    toolsmaker,
    invoker: atFirstUse?.waitingFor(invoker) ?? invoker,
    callLog,
    logger,
    builtInTools: builtInTools?.standing,
    code,
    n8n,
    dynamicTools,
    health: () => ({
      status: toolsmaker.paused === undefined ? 'ok' : 'paused',
      pid: process.pid,
      startedAt,
      dataFolder: folder.root,
      trustFolder: folder.trust,
      database: databaseUrl === undefined ? 'embedded' : 'postgres',
      ...(builtInTools === undefined ? {} : { workspace: builtInTools.standing.workspace }),
      namespace,
      tools: counts(),
      waitingForApproval: toolsmaker.listPending().length,
      ...(toolsmaker.logProblem === undefined ? {} : { logProblem: toolsmaker.logProblem }),
    }),
    close: () => closing.close(),
  }
}

/** Loads what speaks to n8n only where the settings name a server. */
async function openN8n(
  ground: ToolGround,
  place: Parameters<typeof OpenN8nTools>[1],
): Promise<N8nTools | undefined> {
  if (ground.settings.n8n === undefined) return undefined
  const { openN8nTools } = await import('../tools/n8n/open-n8n-tools.ts')
  return openN8nTools(ground, place)
}

async function openGround(
  options: KernelOptions,
  {
    folder,
    databaseUrl,
  }: { readonly folder: DataFolder; readonly databaseUrl: string | undefined },
): Promise<ToolGround | undefined> {
  const { builtInTools, environment = process.env, workingFolder, deniedServices } = options
  if (builtInTools === false) return undefined
  return openToolGround({
    folder,
    settings: builtInTools,
    workspace: namedWorkspace(options),
    workingFolder,
    environment,
    databaseUrl,
    ...(deniedServices === undefined ? {} : { deniedServices }),
  })
}

function openCode(
  { environment = process.env, sandbox: option }: KernelOptions,
  place: {
    readonly ground: ToolGround
    readonly registry: ToolRegistry
    readonly folder: DataFolder
  },
): CodeTools {
  const { ground, registry, folder } = place
  const settings = ground.settings.code?.sandbox
  return openCodeTools(ground, {
    sandbox: chooseSandbox({ option, environment, settings }),
    registry,
    dynamicFolder: folder.dynamicTools,
  })
}

/** An empty address means none, as an empty environment variable does elsewhere. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (/^postgres(ql)?:\/\/\S+$/.test(text)) return text
  // The text is not shown: it may hold a password.
  throw hostError(
    'USAGE',
    'The database address must begin with postgres://, as in postgres://user:password@host:5432/name.',
  )
}

/** A namespace names a folder. */
function assertNamespace(namespace: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(namespace)) return
  throw hostError(
    'USAGE',
    `A namespace has 1 to 63 lower-case letters, digits, "_" and "-", got ${JSON.stringify(namespace).slice(0, 100)}.`,
  )
}
