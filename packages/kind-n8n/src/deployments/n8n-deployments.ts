import type { DeploymentProgress, N8nFunction } from '@toolcrib/n8n'

/** What of a made tool is on a server of n8n. One workflow for each tool; its versions are versions of that workflow. */
export interface N8nDeployment {
  /** The made tool. */
  readonly toolName: string
  /** Where it is, without a trailing slash. */
  readonly baseUrl: string
  /** The version of the tool that was last put into use there, and the hash of its content. */
  readonly version?: number
  readonly contentHash?: string
  readonly function?: N8nFunction
  /** Set while something is being created; what a crash may have left behind. */
  readonly progress?: DeploymentProgress
  /** Set while another version is put onto the workflow: until it is over, nobody knows which of the two is live. */
  readonly pending?: { readonly version: number; readonly contentHash: string }
  /** Whether it was taken out of use; the workflow may still be on the server, not live. */
  readonly isRetired?: boolean
  /** Whether it was to be deleted from the server, which failed. */
  readonly isUnwanted?: boolean
  /** By content hash of the tool's versions: the version of the workflow on the server. */
  readonly versions?: Readonly<Record<string, string>>
  /** Set where taking it down failed: it may still be live. Tried again at the next chance. */
  readonly leftBehind?: string
  /** What a person has to take down: it is on another server, or n8n cannot find it. */
  readonly abandoned?: string
}

/** A deployment that cannot be read. */
export interface BrokenN8nDeployment {
  /** Where it is kept, such as a path. */
  readonly place: string
  readonly reason: string
}

/** Keeps {@link N8nDeployment}s, one a tool. They hold secrets, so where they are kept no tool may read or write. */
export interface N8nDeployments {
  /** @throws {ToolError} N8N_DEPLOYMENT_BROKEN when what is kept cannot be read. */
  read(toolName: string): Promise<N8nDeployment | undefined>
  /** Durable when it resolves. */
  write(deployment: N8nDeployment): Promise<void>
  remove(toolName: string): Promise<void>
  /** Those that can be read, by name. */
  list(): Promise<readonly N8nDeployment[]>
  /** Those that cannot. @default none */
  listBroken?(): Promise<readonly BrokenN8nDeployment[]>
}
