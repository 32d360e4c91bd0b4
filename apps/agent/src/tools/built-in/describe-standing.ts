import { describePolicy } from '@toolcrib/policy'
import type { BuiltInTools } from '@toolcrib/tools'
import {
  type BuiltInStanding,
  type BuiltInToolStanding,
  type SecretStanding,
  builtInToolNames,
} from './built-in-standing.ts'
import type { HostVault } from './open-vault.ts'
import type { Containment, ShellDecision } from './shell-decision.ts'
import type { ToolSettings } from '../../settings/tool-settings.ts'

/** From what the standing follows. */
export interface StandingFacts {
  readonly settings: ToolSettings
  readonly settingsFile: string
  readonly tools: BuiltInTools
  readonly secrets: HostVault
  readonly shell: ShellDecision
  readonly sqlDatabase: 'postgres' | 'embedded'
}

/** Says what the built-in tools are and may do, from what was made rather than from what was asked for. */
export function describeStanding(facts: StandingFacts): BuiltInStanding {
  const { settings, settingsFile, tools, shell, sqlDatabase } = facts
  const on = new Set(tools.tools.map(({ name }) => name))
  return {
    settingsFile,
    hasSettings: Object.keys(settings).length > 0,
    workspace: tools.workspace,
    policy: tools.policy,
    sentences: [
      ...describePolicy(tools.policy),
      ...(on.has('shell') ? describeShell(settings, shell) : []),
      ...(on.has('sql') ? [describeSql(settings, sqlDatabase)] : []),
    ],
    tools: builtInToolNames.map((name) => ({
      name,
      isOn: on.has(name),
      because: name === 'shell' ? shell.because : explain(name, settings, on.has(name)),
    })),
    secrets: describeSecrets(facts),
    ...(shell.isOn ? { containment: shell.containment } : {}),
    sqlDatabase,
  }
}

function explain(
  name: 'file' | 'http' | 'sql',
  settings: ToolSettings,
  isOn: boolean,
): BuiltInToolStanding['because'] {
  const switched = settings[name]?.enabled
  if (isOn) return switched === true ? `${name}.enabled is true` : 'on by default'
  if (switched === false) return `${name}.enabled is false; to switch it on, set it to true`
  const powers = name === 'http' ? 'no "http"' : 'neither "fs_read" nor "fs_write"'
  return `the policy of the settings has ${powers}; to switch it on, add it`
}

const reach: Readonly<Record<Containment, string>> = {
  bubblewrap:
    "In a sandbox: they see the system's programs and the workspace, change only the workspace, and none outlives its call.",
  namespace:
    'Not in a sandbox: they read and write every file that this user may; they do not see other processes, and none outlives its call.',
  'process-group':
    'Not in a sandbox: they read and write every file that this user may, see the environment of the host, and may outlive their call.',
}

function describeShell({ shell }: ToolSettings, decision: ShellDecision): readonly string[] {
  if (!decision.isOn) return []
  const commands = shell?.commands
  const what = commands === undefined ? 'any command' : `the commands ${commands.join(', ')}`
  const readable =
    shell?.readable === undefined ? '' : ` They may read ${shell.readable.join(', ')}.`
  const network =
    decision.containment === 'process-group' || shell?.network === 'host'
      ? ' They reach every network that this machine reaches, this machine included.'
      : ' They reach no network.'
  return [`May run ${what}. ${reach[decision.containment]}${readable}${network}`]
}

function describeSql({ sql }: ToolSettings, place: 'postgres' | 'embedded'): string {
  const doing = sql?.readOnly === true ? 'read with SQL' : 'run any SQL'
  return place === 'postgres'
    ? `May ${doing} in a PostgreSQL database of its own, as a role without privileges.`
    : `May ${doing} in an embedded database of its own.`
}

function describeSecrets({ settings, secrets }: StandingFacts): readonly SecretStanding[] {
  const usable = Object.entries(settings.secrets ?? {}).filter(([name]) =>
    secrets.vault.names.includes(name),
  )
  return [
    ...usable.map(([name, { hosts, methods, paths, headers }]) => ({
      name,
      placeholder: secrets.vault.placeholder(name),
      sentence: [
        `may be sent to ${hosts.join(', ')}`,
        ...(methods === undefined ? [] : [`with ${methods.join(', ')}`]),
        ...(paths === undefined ? [] : [`to paths at and below ${paths.join(', ')}`]),
        ...(headers === undefined ? [] : [`in the header ${headers.join(' or ')}`]),
      ].join(', '),
    })),
    ...secrets.unavailable.map(({ name, reason }) => ({
      name,
      sentence: `cannot be used: ${reason}`,
    })),
  ]
}
