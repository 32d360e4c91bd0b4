import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type VersionSummary, openTrustDirectory } from '@toolcrib/toolsmaker'
import type { Finding } from '../doctor/doctor-finding.ts'
import { codeToolFindings } from '../doctor/doctor-code-tools.ts'
import { n8nToolFindings } from '../doctor/doctor-n8n-tools.ts'
import { builtInToolFindings } from '../doctor/doctor-built-in-tools.ts'
import type { CommandContext } from '../program/command-context.ts'
import { describeLogProblem } from '../review/log-problem.ts'
import { type ExitCode, exitCodes } from '../exit-code.ts'
import { shownLine, shownText } from '../review/shown-text.ts'

/** How many versions that do not run are named one by one. */
const maxShownStopped = 5

const marks = { ok: '✔', advice: '!', problem: '✘' } as const

/** `doctor`: says plainly how this set-up stands, what it protects from and what it does not. */
export async function runDoctor(context: CommandContext): Promise<ExitCode> {
  const findings = [
    nodeFinding(),
    ...(await hostFindings(context)),
    ...(await permissionFindings(context)),
    ...(await trustFindings(context)),
    ...(await builtInToolFindings(context)),
    ...(await codeToolFindings(context)),
    ...(await n8nToolFindings(context)),
  ]
  context.printer.result(findings, () =>
    findings.map(({ level, what }) => `${marks[level]} ${shownText(what)}`).join('\n'),
  )
  return findings.some(({ level }) => level === 'problem') ? exitCodes.failure : exitCodes.ok
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > 22 || (major === 22 && minor >= 13)
  return {
    level: isEnough ? 'ok' : 'problem',
    what: `Node ${process.versions.node}${isEnough ? '' : ', at least 22.13 is needed'}`,
  }
}

async function hostFindings(context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await context.withHost(async (host): Promise<readonly Finding[]> => {
      const health = await host.call('health', {}, context.signal)
      const audit = await host.call('audit.verify', {}, context.signal)
      const versions = await host.call('versions.list', {}, context.signal)
      return [
        host.isRemote
          ? { level: 'ok', what: `A host runs, process ${health.pid} since ${health.startedAt}` }
          : { level: 'ok', what: 'No host runs; one starts for each command' },
        {
          level: 'ok',
          what: `${health.tools.total} tools: ${health.tools.builtIn} built in, ${health.tools.custom} made`,
        },
        ...(health.logProblem === undefined
          ? []
          : [{ level: 'problem', what: describeLogProblem(context, health.logProblem) } as const]),
        health.logProblem === undefined && health.status === 'paused'
          ? { level: 'problem', what: `Made tools are paused. To go on: ${context.prefix} resume` }
          : health.status === 'paused'
            ? { level: 'problem', what: 'Made tools are paused' }
            : { level: 'ok', what: 'Made tools may run' },
        ...stoppedFindings(versions, context),
        health.waitingForApproval > 0
          ? {
              level: 'advice',
              what: `${health.waitingForApproval} versions wait for you: ${context.prefix} approvals list`,
            }
          : { level: 'ok', what: 'Nothing waits for approval' },
        health.database === 'embedded'
          ? {
              level: 'advice',
              what: 'The call log is embedded (PGlite): it survives a killed process, not a power cut. Set DATABASE_URL for more.',
            }
          : { level: 'ok', what: 'The call log is in PostgreSQL' },
        audit.ok
          ? { level: 'ok', what: `The record of ${audit.events} events is whole` }
          : {
              level: 'problem',
              what: `The record is wrong at event ${audit.sequence}: ${audit.reason}`,
            },
      ]
    })
  } catch (error) {
    return [
      {
        level: 'problem',
        what: `The host cannot be reached or started: ${(error as Error).message}`,
      },
    ]
  }
}

/** Versions that somebody put into use and that do not run here, such as one that is held, or whose kind is switched off. */
function stoppedFindings(
  versions: readonly VersionSummary[],
  { prefix }: CommandContext,
): readonly Finding[] {
  const running = new Set(versions.flatMap(({ callable, name }) => (callable ? [name] : [])))
  const stopped = versions.filter(
    ({ held, name, status }) => (status === 'activated' || held === true) && !running.has(name),
  )
  return [
    ...stopped.slice(0, maxShownStopped).map(({ name, reason = '', version }): Finding => ({
      level: 'problem',
      what: `${name} v${version} is approved and does not run: ${describeStop(reason)}. See: ${prefix} approvals show ${name}@${version}`,
    })),
    ...(stopped.length > maxShownStopped
      ? [
          {
            level: 'problem',
            what: `${stopped.length - maxShownStopped} more approved tools do not run. All of them: ${prefix} versions`,
          } as const,
        ]
      : []),
  ]
}

/** Without the name of the event that it stands in. */
function describeStop(reason: string): string {
  return shownLine(reason.replace(/^tool_[a-z_]+: /, ''), 300).replace(/\.+$/, '')
}

async function permissionFindings({ folder }: CommandContext): Promise<readonly Finding[]> {
  if (process.platform === 'win32')
    return [
      {
        level: 'advice',
        what: 'On Windows the folders are as private as their access lists; they are not checked.',
      },
    ]
  const folders = [folder.root, folder.trust, dirname(folder.socket)]
  return Promise.all(
    [...new Set(folders)].map(async (path): Promise<Finding> => {
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined) return { level: 'advice', what: `${path} is not there yet` }
      const isPrivate = (found.mode & 0o077) === 0
      return isPrivate
        ? { level: 'ok', what: `${path} is private` }
        : {
            level: 'problem',
            what: `${path} can be read or written by others. Run: chmod 700 ${path}`,
          }
    }),
  )
}

async function trustFindings({ folder, prefix }: CommandContext): Promise<readonly Finding[]> {
  try {
    const trust = await openTrustDirectory(folder.trust, { storeDirectory: folder.store })
    const count = trust.approvers().size
    return [
      count === 0
        ? { level: 'advice', what: `Nobody can sign decisions yet. Run: ${prefix} approver init` }
        : {
            level: 'ok',
            what: `${count} can sign decisions: ${[...trust.approvers().keys()].join(', ')}`,
          },
      {
        level: 'advice',
        what:
          'Agents that can run commands as this same user could write to the trust folder. Against such a shell the gate is ' +
          'advisory; run the agent as another user, or keep the trust folder where it cannot write (--trust).',
      },
    ]
  } catch (error) {
    return [{ level: 'problem', what: (error as Error).message }]
  }
}
