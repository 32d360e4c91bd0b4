import { isAbsolute, resolve } from 'node:path'
import type { ToolPolicy } from '@toolcrib/policy'
import type { DeniedService } from '@toolcrib/policy/http'
import type { SecretVault } from '@toolcrib/policy/secrets'
import type { DataFolder } from '../../host/data-folder.ts'
import { n8nAdminServices } from '../n8n/n8n-admin-services.ts'
import { type AgentDatabase, readAgentDatabase } from './agent-database.ts'
import { readDatabaseAddress } from '../../settings/database-address.ts'
import { listHostPaths } from '../../settings/host-paths.ts'
import { type HostVault, openHostVault } from './open-vault.ts'
import {
  checkToolSettings,
  readToolSettings,
  toolSettingsPath,
} from '../../settings/read-tool-settings.ts'
import type { ToolSettings } from '../../settings/tool-settings.ts'
import { assertApartFromHost, openWorkspace } from '../../settings/workspace.ts'

/** From what a host knows what its tools may touch. */
export interface ToolGroundPlace {
  readonly folder: DataFolder
  /** @default what `tool-settings.json` in the trust folder says */
  readonly settings?: ToolSettings | undefined
  /** A workspace named on the command line or in the environment. */
  readonly workspace?: string | undefined
  readonly workingFolder?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The host's own database, which tools never reach. */
  readonly databaseUrl?: string | undefined
  /** Other services of the host. */
  readonly deniedServices?: readonly DeniedService[]
}

/** What every tool of a host that touches anything stands on: the settings, the workspace, the secrets, what is denied to all. */
export interface ToolGround {
  readonly settings: ToolSettings
  readonly settingsFile: string
  readonly workspace: string
  readonly secrets: HostVault
  readonly agentDatabase: AgentDatabase | undefined
  /** What no tool reaches, whatever its policy says. */
  readonly denied: {
    readonly paths: readonly string[]
    readonly services: readonly DeniedService[]
  }
  /** Texts that must stand in no output and no log, asked each time. */
  listSecrets(): readonly string[]
}

/**
 * Reads what the tools of a host may touch, with everything of the host out of their reach.
 *
 * @throws {ToolError} SETTINGS_INVALID or WORKSPACE_MISPLACED; powers are never guessed.
 */
export async function openToolGround(place: ToolGroundPlace): Promise<ToolGround> {
  const { folder, environment } = place
  const settings =
    place.settings === undefined
      ? await readToolSettings(folder.trust)
      : checkToolSettings(place.settings, 'builtInTools')
  const workspace = await openWorkspace({
    folder,
    named: place.workspace,
    settings: settings.workspace,
    workingFolder: place.workingFolder,
  })
  for (const [field, policy] of [
    ['policy', settings.policy],
    ['code.policy', settings.code?.policy],
  ] as const)
    assertPathsApart(policy, { field, folder, workspace })
  const settingsFile = toolSettingsPath(folder.trust)
  const secrets = openHostVault(settings.secrets ?? {}, { environment, where: settingsFile })
  const agentDatabase = await readAgentDatabase(folder.trust)
  const addresses = [place.databaseUrl, agentDatabase?.connectionString]
    .filter((address) => address !== undefined)
    .flatMap((address) => readDatabaseAddress(address).services)
  return {
    settings,
    settingsFile,
    workspace,
    secrets,
    agentDatabase,
    denied: {
      paths: [...listHostPaths(folder, workspace), ...secretFiles(settings)],
      services: [...addresses, ...n8nAdminServices(settings.n8n), ...(place.deniedServices ?? [])],
    },
    listSecrets: () => [
      ...secrets.vault.listValues(),
      ...(agentDatabase === undefined
        ? []
        : readDatabaseAddress(agentDatabase.connectionString).secrets),
    ],
  }
}

/** A policy that says nothing about secrets lets tools use every secret that there is, each where it is bound to. */
export function withSecrets(policy: ToolPolicy, { names }: SecretVault): ToolPolicy {
  const { secrets, ...rest } = policy
  const usable =
    secrets === undefined ? names : secrets.names.filter((name) => names.includes(name))
  return usable.length === 0 ? rest : { ...rest, secrets: { names: usable } }
}

function secretFiles({ n8n, secrets = {} }: ToolSettings): readonly string[] {
  const sources = [...Object.values(secrets), ...(n8n === undefined ? [] : [n8n.apiKey])]
  return sources.flatMap((source) => ('file' in source ? [source.file] : []))
}

function assertPathsApart(
  policy: ToolPolicy | undefined,
  {
    field,
    folder,
    workspace,
  }: { readonly field: string; readonly folder: DataFolder; readonly workspace: string },
): void {
  // Reading above the data folder is harmless, the guard leaves the folder itself out; writing there is not.
  for (const path of policy?.fs_write?.paths ?? [])
    assertApartFromHost(isAbsolute(path) ? path : resolve(workspace, path), {
      folder,
      what: `${field}.fs_write.paths:`,
    })
}
