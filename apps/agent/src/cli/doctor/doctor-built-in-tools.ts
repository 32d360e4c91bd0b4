import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry } from '@toolcrib/registry'
import { createShellTool } from '@toolcrib/tools/shell'
import { checkPostgresRole } from '@toolcrib/tools/sql'
import { readAgentDatabase } from '../../tools/built-in/agent-database.ts'
import type { BuiltInStanding } from '../../tools/built-in/built-in-standing.ts'
import type { Containment } from '../../tools/built-in/shell-decision.ts'
import { isWithin } from '../../settings/workspace.ts'
import type { CommandContext } from '../program/command-context.ts'
import type { Finding } from './doctor-finding.ts'

/** How the built-in tools stand: what is on, what keeps commands apart, what of the settings cannot be used. */
export async function builtInToolFindings(context: CommandContext): Promise<readonly Finding[]> {
  let standing: BuiltInStanding | null
  try {
    standing = await context.withHost((host) => host.call('tools.policy', {}, context.signal))
  } catch {
    // That the host cannot be reached, and why, is a finding of its own.
    return []
  }
  if (standing === null) return [{ level: 'ok', what: 'This host has no built-in tools' }]
  return [
    toolsFinding(standing, context),
    await shellFinding(standing, context),
    ...secretFindings(standing),
    ...workspaceFindings(standing, context),
    ...(standing.sqlDatabase === 'postgres' ? [await roleFinding(context)] : []),
  ]
}

function toolsFinding({ tools }: BuiltInStanding, { prefix }: CommandContext): Finding {
  const on = tools.filter(({ isOn }) => isOn).map(({ name }) => name)
  return {
    level: 'ok',
    what: `Built-in tools that are on: ${on.join(', ') || 'none'}. What they may do: ${prefix} tools policy`,
  }
}

const withoutSandbox = {
  namespace:
    'The shell tool is on without a sandbox: its commands read and write whatever this user may, the trust folder included, so ' +
    'nothing that was signed binds them. Leave shell.containment out to have a sandbox.',
  'process-group':
    'The shell tool is on without a sandbox: its commands read and write whatever this user may, the trust folder and the secrets in ' +
    'the environment of the host included, and a process that leaves its group outlives its call. Leave shell.containment out to have a sandbox.',
} as const

async function shellFinding(
  { tools, containment, workspace }: BuiltInStanding,
  { signal }: CommandContext,
): Promise<Finding> {
  const problem = await tryContainment(containment ?? 'bubblewrap', { workspace, signal })
  const shell = tools.find(({ name }) => name === 'shell')
  if (shell?.isOn !== true)
    return {
      level: 'ok',
      what: `The shell tool is off. ${problem === undefined ? 'A sandbox for it works here' : `Switched on it would refuse every command, for no sandbox works here: ${problem}`}`,
    }
  if (problem !== undefined)
    return { level: 'problem', what: `The shell tool is on and refuses every command: ${problem}` }
  return containment === 'namespace' || containment === 'process-group'
    ? { level: 'advice', what: withoutSandbox[containment] }
    : {
        level: 'ok',
        what: 'The shell tool is on; a sandbox keeps its commands from the data, the secrets and the processes of the host',
      }
}

/** Runs a command that does nothing, as the shell tool would; tells what keeps it from running. */
async function tryContainment(
  containment: Containment,
  { workspace, signal }: { readonly workspace: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const registry = new ToolRegistry()
  try {
    registry.register(createShellTool({ workspace, containment }))
    const result = await createInvoker({ registry, log: createMemoryCallLog() }).invoke(
      'shell',
      { command: 'true' },
      { signal },
    )
    return result.success ? undefined : result.error
  } catch (error) {
    return (error as Error).message
  }
}

function secretFindings({ secrets }: BuiltInStanding): readonly Finding[] {
  return secrets.map(({ name, placeholder, sentence }) =>
    placeholder === undefined
      ? { level: 'problem', what: `Secret ${name} ${sentence}` }
      : { level: 'ok', what: `Secret ${name} ${sentence}` },
  )
}

function workspaceFindings(
  { workspace }: BuiltInStanding,
  { folder }: CommandContext,
): readonly Finding[] {
  const repository = isWithin(folder.root, workspace) ? undefined : findRepository(workspace)
  if (repository === undefined) return [{ level: 'ok', what: `The workspace is ${workspace}` }]
  return [
    {
      level: 'advice',
      what: `The workspace ${workspace} lies in the git repository ${repository}: what agents write there may be committed, run by a build, or overwrite your work. Review it like a stranger's change.`,
    },
  ]
}

function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : findRepository(parent)
}

async function roleFinding({ folder }: CommandContext): Promise<Finding> {
  const what = 'The database of the sql tool'
  try {
    const database = await readAgentDatabase(folder.trust)
    const found =
      database === undefined
        ? []
        : await checkPostgresRole({ connectionString: database.connectionString })
    return found.length === 0
      ? { level: 'ok', what: `${what} is PostgreSQL; its role has no privileges beyond it` }
      : { level: 'problem', what: `${what} is refused: ${found.join('; ')}` }
  } catch (error) {
    return { level: 'problem', what: `${what}: ${(error as Error).message}` }
  }
}
