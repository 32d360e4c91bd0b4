import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

/** Where a host keeps what it must not lose. */
export interface DataFolder {
  /** The folder that one host at a time owns. */
  readonly root: string
  /** Events of the lifecycle and their readable projections. */
  readonly store: string
  /** The embedded database, when no `DATABASE_URL` is given. */
  readonly database: string
  /** The embedded database of the sql tool, apart from the host's own. */
  readonly agentDatabase: string
  /** Where files with tools in TypeScript are found; each becomes a proposal, none is ever imported. */
  readonly dynamicTools: string
  /** Approvers' public keys, the approval policy, the settings of the tools and the host's own key; outside the store on purpose. */
  readonly trust: string
  /** Where the running host listens for the command line. */
  readonly socket: string
}

/** What decides where the data lies. */
export interface DataFolderOptions {
  /** @default environment TOOLCRIB_DATA, else `.toolcrib` in the working folder */
  readonly data?: string | undefined
  /** @default environment TOOLCRIB_TRUST, else `trust` in the data folder */
  readonly trust?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly workingFolder?: string
}

/** The longest path that every system accepts for a Unix socket, in bytes (macOS: 104 with the end mark). */
const maxSocketPathBytes = 100

const dataFolderOptionNames: KnownOptions<DataFolderOptions> = {
  data: true,
  trust: true,
  environment: true,
  workingFolder: true,
}

/** Says where everything lies; creates nothing. */
export function resolveDataFolder(options: DataFolderOptions = {}): DataFolder {
  assertOptions<DataFolderOptions>('resolveDataFolder', options, dataFolderOptionNames)
  return locateData(options)
}

/** The same for options that say more than where the data lies, which were checked as a whole. */
export function locateData(options: DataFolderOptions): DataFolder {
  const { environment = process.env, workingFolder = process.cwd() } = options
  const root = resolve(workingFolder, options.data ?? environment['TOOLCRIB_DATA'] ?? '.toolcrib')
  const trust = options.trust ?? environment['TOOLCRIB_TRUST']
  return {
    root,
    store: join(root, 'store'),
    database: join(root, 'database'),
    agentDatabase: join(root, 'agent-database'),
    dynamicTools: join(root, 'tools', 'dynamic'),
    trust: trust === undefined ? join(root, 'trust') : resolve(workingFolder, trust),
    socket: socketPath(root),
  }
}

function socketPath(root: string): string {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\toolcrib-${name}`
  const inside = join(root, 'host.sock')
  if (Buffer.byteLength(inside) <= maxSocketPathBytes) return inside
  return join(tmpdir(), `toolcrib-${userInfo().uid}-${name}`, 'host.sock')
}
