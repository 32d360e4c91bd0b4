import { ToolError } from '@toolcrib/registry'
import { type BuiltInTools, type BuiltInToolsOptions, createBuiltInTools } from '@toolcrib/tools'
import type { SqlDatabase } from '@toolcrib/tools/sql'
import type { DataFolder } from '../../host/data-folder.ts'
import type { AgentDatabase } from './agent-database.ts'
import type { BuiltInStanding } from './built-in-standing.ts'
import { describeStanding } from './describe-standing.ts'
import { openAtFirstUse } from './lazy-database.ts'
import { settingsInvalid } from '../../settings/settings-error.ts'
import { type ShellDecision, decideShell } from './shell-decision.ts'
import { type ToolGround, withSecrets } from './tool-ground.ts'
import type { ToolSettings } from '../../settings/tool-settings.ts'

/** The built-in tools of a host, with what the host must know about them. */
export interface HostTools extends Pick<BuiltInTools, 'tools' | 'close'> {
  readonly standing: BuiltInStanding
}

/**
 * Makes the built-in tools as the settings say.
 *
 * @throws {ToolError} SETTINGS_INVALID; powers are never guessed.
 */
export function openBuiltInTools(ground: ToolGround, folder: DataFolder): HostTools {
  const { settings, settingsFile, secrets, agentDatabase } = ground
  const shell = decideShell(settings.shell, settingsFile)
  const tools = createTools(ground, { folder, shell })
  return {
    tools: tools.tools,
    close: () => tools.close(),
    standing: describeStanding({
      settings,
      settingsFile,
      tools,
      secrets,
      shell,
      sqlDatabase: agentDatabase === undefined ? 'embedded' : 'postgres',
    }),
  }
}

function createTools(
  { settings, settingsFile, workspace, secrets, agentDatabase, denied }: ToolGround,
  { folder, shell }: { readonly folder: DataFolder; readonly shell: ShellDecision },
): BuiltInTools {
  const { vault } = secrets
  const options: BuiltInToolsOptions = {
    workspace,
    vault,
    file: switched(settings.file),
    http: switched(settings.http),
    sql: switched(settings.sql),
    shell: shellOptions(settings.shell, shell),
    denied,
  }
  const policy =
    settings.policy === undefined ? {} : { policy: withSecrets(settings.policy, vault) }
  const database = openAtFirstUse(() => openDatabase(folder, agentDatabase))
  try {
    return createBuiltInTools(database, { ...options, ...policy })
  } catch (error) {
    if (!ToolError.is(error, 'POLICY_INVALID')) throw error
    throw settingsInvalid(settingsFile, error.message, error)
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
