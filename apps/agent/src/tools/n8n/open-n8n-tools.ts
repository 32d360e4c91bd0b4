import { join } from 'node:path'
import { type N8nFactoryOptions } from '@toolcrib/factory'
import { type N8nKind, createN8nKind, createFileN8nDeployments } from '@toolcrib/kind-n8n'
import {
  type N8nClient,
  type N8nTransport,
  createGotTransport,
  createN8nClient,
} from '@toolcrib/n8n'
import { createServerCatalogue } from '@toolcrib/n8n/workflow'
import { ToolError } from '@toolcrib/registry'
import { settingsInvalid } from '../../settings/settings-error.ts'
import type { ToolGround } from '../built-in/tool-ground.ts'
import type { Switch } from '../code/code-standing.ts'
import type { DataFolder } from '../../host/data-folder.ts'
import { createImpatientTransport } from './impatient-transport.ts'
import { rememberSecrets } from './known-secrets.ts'
import { readN8nKey } from './n8n-key.ts'
import { type N8nReport, reportN8n } from './n8n-report.ts'
import type { N8nSettings } from '../../settings/n8n-settings.ts'

/** What n8n tools of a host stand on, as data. */
export interface N8nStanding extends Switch {
  readonly baseUrl: string
  readonly webhookBaseUrl: string
  /** Where is kept what is on the server. */
  readonly deployments: string
  /** What workflows may contain, as the settings say. */
  readonly nodes: NonNullable<N8nSettings['nodes']>
  /** Addresses of this machine or network that workflows may be approved for. */
  readonly privateAddresses: readonly string[]
  /** How often what is on the server is looked at, in milliseconds. */
  readonly inspectEveryMs: number
}

/** n8n tools of a host. */
export interface N8nTools {
  /** Absent while they are off. */
  readonly kind: N8nKind | undefined
  readonly standing: N8nStanding
  /** What the tools with which agents make n8n tools need; absent while they are off. */
  readonly factory: N8nFactoryOptions | undefined
  /** The key of the server and the secrets of callers, asked each time. */
  listSecrets(): readonly string[]
  /** Asks how the server and the tools on it are; `undefined` while they are off. */
  report(toolNames: readonly string[], signal: AbortSignal): Promise<N8nReport | undefined>
  /** Says that the host has started: from now on a server that hangs is waited for. */
  beginToWait(): void
  close(): void
}

/**
 * Opens what n8n tools need, where the settings name a server. Nothing is asked of the server: one that is down keeps no host
 * from starting.
 *
 * @throws {ToolError} SETTINGS_INVALID
 */
export async function openN8nTools(
  { settings: { n8n: settings }, settingsFile }: ToolGround,
  place: {
    readonly folder: DataFolder
    readonly namespace: string
    readonly environment: Readonly<Record<string, string | undefined>>
  },
): Promise<N8nTools | undefined> {
  if (settings === undefined) return undefined
  const key = readN8nKey(settings, { environment: place.environment, where: settingsFile })
  const { folder, namespace } = place
  const isDefault = namespace === 'default'
  const deploymentFolder = join(
    folder.trust,
    'n8n',
    ...(isDefault ? [] : ['namespaces', namespace]),
  )
  const standing = describeN8n(settings, {
    problem: 'problem' in key ? key.problem : undefined,
    deployments: deploymentFolder,
  })
  if (!standing.isOn || !('value' in key))
    return {
      standing,
      kind: undefined,
      factory: undefined,
      listSecrets: () => [],
      report: async () => undefined,
      beginToWait: () => undefined,
      close: () => undefined,
    }
  const connections = createGotTransport()
  const transport = createImpatientTransport(connections)
  const connect = (): N8nClient =>
    openClient(settings, { apiKey: key.value, transport, settingsFile })
  const client = connect()
  const deployments = rememberSecrets(createFileN8nDeployments(deploymentFolder))
  await deployments.list()
  const policy = settings.nodes ?? {}
  const kind = createN8nKind({
    client,
    deployments,
    policy,
    // A new client each time, for one remembers what its server said, and servers are upgraded while hosts run.
    catalogue: createServerCatalogue({
      capabilities: (options) => connect().capabilities(options),
    }),
    ...(isDefault ? {} : { namePrefix: `toolcrib ${namespace}` }),
  })
  return {
    kind,
    standing,
    factory: { kind, policy },
    listSecrets: () => [key.value, ...deployments.listSecrets()],
    report: (toolNames, signal) => reportN8n(kind, { client: connect(), toolNames, signal }),
    beginToWait: () => transport.beginToWait(),
    close: () => connections.close(),
  }
}

function openClient(
  { baseUrl, timeoutMs, webhookBaseUrl }: N8nSettings,
  place: {
    readonly apiKey: string
    readonly transport: N8nTransport
    readonly settingsFile: string
  },
): N8nClient {
  try {
    return createN8nClient({
      baseUrl,
      apiKey: place.apiKey,
      transport: place.transport,
      ...(webhookBaseUrl === undefined ? {} : { webhookBaseUrl }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
  } catch (error) {
    if (!ToolError.is(error, 'N8N_OPTION_INVALID')) throw error
    throw settingsInvalid(place.settingsFile, `n8n: ${error.message}`, error)
  }
}

function describeN8n(
  settings: N8nSettings,
  facts: { readonly problem: string | undefined; readonly deployments: string },
): N8nStanding {
  const { baseUrl, enabled, inspectEveryMs = 30_000, webhookBaseUrl = baseUrl } = settings
  const isOn = enabled !== false && facts.problem === undefined
  return {
    isOn,
    because:
      enabled === false
        ? 'n8n.enabled is false; to switch them on, set it to true'
        : (facts.problem ?? 'the settings name a server'),
    baseUrl,
    webhookBaseUrl,
    deployments: facts.deployments,
    nodes: settings.nodes ?? {},
    privateAddresses: settings.privateAddresses ?? [],
    inspectEveryMs,
  }
}
