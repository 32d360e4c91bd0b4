import { isAbsolute, resolve } from 'node:path'
import type { ToolPolicy } from '@toolcrib/policy'
import type { DeniedService } from '@toolcrib/policy/http'
import { ToolError } from '@toolcrib/registry'
import { type BuiltInTools, type BuiltInToolsOptions, createBuiltInTools } from '@toolcrib/tools'
import type { SqlDatabase } from '@toolcrib/tools/sql'
import type { DataFolder } from '../data-folder.ts'
import { type AgentDatabase, readAgentDatabase } from './agent-database.ts'
import type { BuiltInStanding } from './built-in-standing.ts'
import { readDatabaseAddress } from './database-address.ts'
import { describeStanding } from './describe-standing.ts'
import { listHostPaths } from './host-paths.ts'
import { openAtFirstUse } from './lazy-database.ts'
import { type HostVault, openHostVault } from './open-vault.ts'
import { checkToolSettings, readToolSettings, toolSettingsPath } from './read-tool-settings.ts'
import { settingsInvalid } from './settings-error.ts'
import type { ToolSettings } from './tool-settings.ts'
import { type ShellDecision, decideShell } from './shell-decision.ts'
import { assertApartFromHost, openWorkspace } from './workspace.ts'

/** From what a host makes its built-in tools. */
export interface HostToolsPlace {
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

/** The built-in tools of a host, with what the host must know about them. */
export interface HostTools extends Pick<BuiltInTools, 'tools' | 'close'> {
  readonly standing: BuiltInStanding
  /** Texts that must stand in no output and no log, asked each time. */
  listSecrets(): readonly string[]
}

/**
 * Makes the built-in tools as the settings say, with everything of the host out of their reach.
 *
 * @throws {ToolError} SETTINGS_INVALID or WORKSPACE_MISPLACED; powers are never guessed.
 */
export async function openBuiltInTools(place: HostToolsPlace): Promise<HostTools> {
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
  assertPathsApart(settings.policy, { folder, workspace })
  const secrets = openHostVault(settings.secrets ?? {}, {
    environment,
    where: toolSettingsPath(folder.trust),
  })
  const agentDatabase = await readAgentDatabase(folder.trust)
  const shell = decideShell(settings.shell, toolSettingsPath(folder.trust))
  const tools = createTools({ ...place, settings, workspace, secrets, agentDatabase, shell })
  return {
    tools: tools.tools,
    close: () => tools.close(),
    listSecrets: () => [
      ...secrets.vault.listValues(),
      ...(agentDatabase === undefined
        ? []
        : readDatabaseAddress(agentDatabase.connectionString).secrets),
    ],
    standing: describeStanding({
      settings,
      settingsFile: toolSettingsPath(folder.trust),
      tools,
      secrets,
      shell,
      sqlDatabase: agentDatabase === undefined ? 'embedded' : 'postgres',
    }),
  }
}

interface Parts extends HostToolsPlace {
  readonly settings: ToolSettings
  readonly workspace: string
  readonly secrets: HostVault
  readonly agentDatabase: AgentDatabase | undefined
  readonly shell: ShellDecision
}

function createTools(parts: Parts): BuiltInTools {
  const { settings, folder, workspace, secrets, agentDatabase, shell } = parts
  const { vault } = secrets
  const addresses = [parts.databaseUrl, agentDatabase?.connectionString]
    .filter((address) => address !== undefined)
    .flatMap((address) => readDatabaseAddress(address).services)
  const secretFiles = Object.values(settings.secrets ?? {}).flatMap((secret) =>
    'file' in secret ? [secret.file] : [],
  )
  const options: BuiltInToolsOptions = {
    workspace,
    vault,
    file: switched(settings.file),
    http: switched(settings.http),
    sql: switched(settings.sql),
    shell: shellOptions(settings.shell, shell),
    denied: {
      paths: [...listHostPaths(folder, workspace), ...secretFiles],
      services: [...addresses, ...(parts.deniedServices ?? [])],
    },
  }
  const policy =
    settings.policy === undefined ? {} : { policy: withSecrets(settings.policy, vault) }
  const database = openAtFirstUse(() => openDatabase(folder, agentDatabase))
  try {
    return createBuiltInTools(database, { ...options, ...policy })
  } catch (error) {
    if (!ToolError.is(error, 'POLICY_INVALID')) throw error
    throw settingsInvalid(toolSettingsPath(folder.trust), error.message, error)
  }
}

/** The options of a tool without the switch itself. */
function switched<Settings extends { readonly enabled?: boolean }>(
  settings: Settings | undefined,
): false | Omit<Settings, 'enabled'> {
  const { enabled = true, ...options } = settings ?? ({} as Settings)
  return enabled && options
}

/** The containment is always named, so that the tool never falls back to a weaker one. */
function shellOptions(
  settings: ToolSettings['shell'],
  shell: ShellDecision,
): NonNullable<BuiltInToolsOptions['shell']> {
  if (!shell.isOn) return false
  const options = switched(settings)
  return options && { ...options, containment: shell.containment }
}

/** A policy that says nothing about secrets lets the http tool use every secret that there is, each where it is bound to. */
function withSecrets(policy: ToolPolicy, { names }: HostVault['vault']): ToolPolicy {
  const { secrets, ...rest } = policy
  const usable =
    secrets === undefined ? names : secrets.names.filter((name) => names.includes(name))
  return usable.length === 0 ? rest : { ...rest, secrets: { names: usable } }
}

async function openDatabase(
  { agentDatabase: directory }: DataFolder,
  agentDatabase: AgentDatabase | undefined,
): Promise<SqlDatabase> {
  // Loaded when it is needed: most commands run no SQL.
  const { createEmbeddedDatabase, createPostgresDatabase } = await import('@toolcrib/tools/sql')
  return agentDatabase === undefined
    ? createEmbeddedDatabase({ directory })
    : createPostgresDatabase({ connectionString: agentDatabase.connectionString })
}

function assertPathsApart(
  policy: ToolPolicy | undefined,
  { folder, workspace }: { readonly folder: DataFolder; readonly workspace: string },
): void {
  // Reading above the data folder is harmless, the guard leaves the folder itself out; writing there is not.
  for (const path of policy?.fs_write?.paths ?? [])
    assertApartFromHost(isAbsolute(path) ? path : resolve(workspace, path), {
      folder,
      what: 'policy.fs_write.paths:',
    })
}
