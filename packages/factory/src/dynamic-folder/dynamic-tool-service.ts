import {
  type Logger,
  silentLogger,
  type ToolRegistry,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import type { Sandbox } from '@toolcrib/sandbox'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import type { FindModule } from '@toolcrib/kind-code'
import { DynamicFolder } from './dynamic-folder.ts'
import type { DynamicToolListener, DynamicToolStatus } from './dynamic-tool-status.ts'

/** What the service works with. */
export interface DynamicToolServiceOptions {
  readonly toolsmaker: Pick<
    Toolsmaker,
    'buildTool' | 'forAgent' | 'getSpec' | 'listVersions' | 'onEvent'
  >
  /** Tells listeners when a tool becomes callable, which is a moment after its activation is on record. @default they hear of the record only */
  readonly registry?: Pick<ToolRegistry, 'on'>
  /** Where files are looked at and tried. It stays the caller's to close. */
  readonly sandbox: Sandbox
  /** The folder, such as `tools/dynamic`. It is made when it is not there. */
  readonly directory: string
  /** Finds approved modules that files may import. @default none can be imported */
  readonly findModule?: FindModule
  /** How long a file must be left alone before it is read, in milliseconds; 0 to 60,000. @default 300 */
  readonly debounceMs?: number
  /** Looks again and again instead of being told by the system; for network folders. @default false */
  readonly usePolling?: boolean
  /** How often it looks then, in milliseconds; 10 to 60,000. @default 250 */
  readonly pollIntervalMs?: number
  /** Larger files are refused, in bytes; 1 to 10,485,760. @default 262,144 */
  readonly maxFileBytes?: number
  /** Further files are left alone; 1 to 100,000. @default 1_000 */
  readonly maxFiles?: number
  /**
   * How many files are loaded at once; 1 to 32. With more than one, a file that computes without end may take the time that another
   * needs for its examples, which is then rejected.
   *
   * @default 1
   */
  readonly maxConcurrent?: number
  readonly logger?: Logger
}

/** How {@link DynamicToolService.loadNow} waits. */
export interface LoadNowOptions {
  readonly signal?: AbortSignal
}

/**
 * Makes every file `agent_{agentId}_{toolName}.ts` of a folder a proposal of that agent, when the service starts and whenever one
 * appears or changes. A person decides about each. No file is ever imported by the host; a file that goes takes its tool out of use.
 */
export interface DynamicToolService {
  /** Begins to watch, and to load what is there; {@link whenIdle} waits for that. A second call changes nothing. */
  initialize(): Promise<void>
  /** Ends watching and what is being loaded. What was proposed stays. */
  shutdown(): Promise<void>
  /** Every file, by name. */
  list(): readonly DynamicToolStatus[]
  /**
   * Loads one file now, without waiting until it has been left alone, and tells how it stands then.
   *
   * @param path - its name in the folder, or its path
   * @throws {ToolError} DYNAMIC_PATH_INVALID when it is not directly in the folder.
   * @throws {ToolError} DYNAMIC_SERVICE_STOPPED when the service is not running.
   * @throws the signal's reason when it is aborted; the file is then loaded later.
   */
  loadNow(path: string, options?: LoadNowOptions): Promise<DynamicToolStatus>
  /** Waits until every file that was seen has been loaded or has failed. */
  whenIdle(options?: LoadNowOptions): Promise<void>
  /** Calls `listener` when a file's status or its tool's changes, until the returned function is called. */
  on(event: 'changed', listener: DynamicToolListener): () => void
}

const dynamicToolServiceOptionNames: KnownOptions<DynamicToolServiceOptions> = {
  toolsmaker: true,
  registry: true,
  sandbox: true,
  directory: true,
  findModule: true,
  debounceMs: true,
  usePolling: true,
  pollIntervalMs: true,
  maxFileBytes: true,
  maxFiles: true,
  maxConcurrent: true,
  logger: true,
}

/**
 * Makes the service of one folder. Two services must not share a toolsmaker.
 *
 * @throws {RangeError} when an option is out of range.
 */
export function createDynamicToolService(options: DynamicToolServiceOptions): DynamicToolService {
  assertOptions<DynamicToolServiceOptions>(
    'createDynamicToolService',
    options,
    dynamicToolServiceOptionNames,
  )
  const settings = {
    findModule: undefined,
    registry: undefined,
    debounceMs: 300,
    usePolling: false,
    pollIntervalMs: 250,
    maxFileBytes: 262_144,
    maxFiles: 1_000,
    maxConcurrent: 1,
    logger: silentLogger,
    ...options,
  }
  assertRange('debounceMs', settings.debounceMs, [0, 60_000])
  assertRange('pollIntervalMs', settings.pollIntervalMs, [10, 60_000])
  assertRange('maxFileBytes', settings.maxFileBytes, [1, 10_485_760])
  assertRange('maxFiles', settings.maxFiles, [1, 100_000])
  assertRange('maxConcurrent', settings.maxConcurrent, [1, 32])
  return new DynamicFolder(settings)
}

function assertRange(
  name: string,
  value: number,
  [least, most]: readonly [least: number, most: number],
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, got ${value}.`)
}
