import type { N8nKind, N8nLeftBehind, N8nToolHealth } from '@toolcrib/kind-n8n'
import type { N8nClient } from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'

/** How the n8n of a host is, asked now. */
export interface N8nServerReport {
  /** Whether it is ready to work. */
  readonly isReady: boolean
  /** What asking took, in milliseconds. */
  readonly ms: number
  /** Why it is not ready, or what is wrong with the key. */
  readonly problem?: string
  /** Whether it takes the key; absent where that could not be asked. */
  readonly isKeyAccepted?: boolean
  /** 1 or 2; absent where it could not be asked. */
  readonly major?: 1 | 2
  /** What the key may not do and deploying tools needs; absent where the server does not say. */
  readonly missingScopes?: readonly string[]
}

/** How n8n tools stand on their server. */
export interface N8nReport {
  readonly server: N8nServerReport
  readonly tools: readonly N8nToolHealth[]
  /** What should be gone from the server and may not be. */
  readonly leftBehind: readonly N8nLeftBehind[]
}

/** What a key needs for tools to be deployed, called, looked up, rolled back and deleted. */
export const neededScopes: readonly string[] = [
  'credential:create',
  'credential:delete',
  'execution:list',
  'execution:read',
  'workflow:activate',
  'workflow:create',
  'workflow:deactivate',
  'workflow:delete',
  'workflow:list',
  'workflow:read',
  'workflow:update',
]

/** How long asking the server for one thing may take, in milliseconds. */
const timeoutMs = 10_000
const mostAtOnce = 8

/** Asks how the server, and the tools on it, are. A server that is down is an answer, not an error. */
export async function reportN8n(
  kind: Pick<N8nKind, 'health' | 'listLeftBehind'>,
  options: {
    /** A new one: an older client remembers what it learnt of the server. */
    readonly client: N8nClient
    readonly toolNames: readonly string[]
    readonly signal: AbortSignal
  },
): Promise<N8nReport> {
  const { client, signal, toolNames } = options
  const server = await askServer(client, signal)
  const tools: N8nToolHealth[] = []
  for (let index = 0; index < toolNames.length; index += mostAtOnce)
    tools.push(
      // oxlint-disable-next-line no-await-in-loop -- some at a time: a server answers a few requests well, hundreds badly
      ...(await Promise.all(
        toolNames
          .slice(index, index + mostAtOnce)
          .map((name) => askTool(kind, { name, client, signal })),
      )),
    )
  return { server, tools, leftBehind: await kind.listLeftBehind() }
}

/** What is kept of a tool may be damaged; the others are told all the same. */
async function askTool(
  kind: Pick<N8nKind, 'health'>,
  {
    client,
    name,
    signal,
  }: { readonly name: string; readonly client: N8nClient; readonly signal: AbortSignal },
): Promise<N8nToolHealth> {
  try {
    return await kind.health(name, { signal })
  } catch (error) {
    signal.throwIfAborted()
    const { baseUrl } = client
    const { message: reason } = error as Error
    return { toolName: name, baseUrl, isReachable: false, state: 'unknown', reason }
  }
}

async function askServer(client: N8nClient, signal: AbortSignal): Promise<N8nServerReport> {
  const { ms, ready, reason } = await client.ping({ signal, timeoutMs })
  const answered = { isReady: ready, ms, ...(reason === undefined ? {} : { problem: reason }) }
  if (!ready) return answered
  try {
    const { major, scopes } = await client.capabilities({ signal, timeoutMs })
    return {
      ...answered,
      isKeyAccepted: true,
      major,
      ...(scopes === undefined
        ? {}
        : { missingScopes: neededScopes.filter((scope) => !scopes.includes(scope)) }),
    }
  } catch (error) {
    signal.throwIfAborted()
    const { message } = error as Error
    return ToolError.is(error, 'N8N_UNAUTHORIZED')
      ? { ...answered, isKeyAccepted: false, problem: message }
      : { ...answered, problem: message }
  }
}
