import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import type { CodeStanding } from '../../tools/code/code-standing.ts'
import type { SandboxTrial } from '../../tools/code/try-sandbox.ts'
import type { OperationOutput } from '../../operations/catalogue.ts'
import type { Finding } from './doctor-finding.ts'

type DynamicFile = OperationOutput<'tools.dynamic'>[number]

/** How code tools stand: whether a sandbox works here, whether types are checked, which files wait or failed. */
export async function codeToolFindings(context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await context.withHost(async (host) => {
      const policy = await host.call('tools.policy', {}, context.signal)
      const code = policy?.code
      if (code === undefined) return [{ level: 'ok', what: 'This host has no code tools' }]
      if (!code.isOn) return [{ level: 'ok', what: `Code tools are off: ${code.because}` }]
      const trial = await host.call('code.try', {}, context.signal)
      const bubblewrap =
        code.sandbox.mode === 'bubblewrap' || process.platform !== 'linux'
          ? undefined
          : await host.call('code.try', { mode: 'bubblewrap' }, context.signal)
      const files = await host.call('tools.dynamic', {}, context.signal)
      return [
        sandboxFinding(code, trial),
        ...(bubblewrap === undefined ? [] : [bubblewrapFinding(bubblewrap)]),
        typeCheckFinding(code, context),
        ...fileFindings(files, context),
      ]
    })
  } catch (error) {
    // That the host cannot be reached at all is a finding of its own.
    return context.signal.aborted ? [] : [{ level: 'problem', what: (error as Error).message }]
  }
}

const places = {
  worker: 'worker threads of the host',
  process: 'processes without rights of their own',
  bubblewrap: 'processes in bubblewrap, without network and files',
} as const

function sandboxFinding({ sandbox }: CodeStanding, trial: SandboxTrial): Finding {
  const where = `${places[sandbox.mode]} (sandbox mode ${sandbox.mode}, ${sandbox.because})`
  return trial.ok
    ? {
        level: 'ok',
        what: `Code tools run in ${where}: ${trial.engine}, one call took ${trial.durationMs.toFixed(1)} ms`,
      }
    : {
        level: 'problem',
        what: `Code tools cannot run in ${where}, so every call of one fails: ${trial.problem}`,
      }
}

function bubblewrapFinding(trial: SandboxTrial): Finding {
  return {
    level: 'ok',
    what: trial.ok
      ? 'Code tools could also run in bubblewrap: TOOLCRIB_SANDBOX=bubblewrap, or code.sandbox.mode in the settings'
      : `Bubblewrap as a further wall around code tools does not work here: ${trial.problem}`,
  }
}

function typeCheckFinding({ typeCheck }: CodeStanding, { folder }: CommandContext): Finding {
  if (typeCheck.isOn)
    return { level: 'ok', what: `Types of code tools are checked: ${typeCheck.because}` }
  return {
    level: 'advice',
    what: `Types of code tools are not checked (${typeCheck.because}). Settings are in ${folder.trust}. The sandbox holds all the same`,
  }
}

function fileFindings(files: readonly DynamicFile[], { prefix }: CommandContext): Finding[] {
  const failed = files.filter(({ status }) => status === 'failed')
  return failed.length === 0
    ? []
    : [
        {
          level: 'advice',
          what: `${failed.length} files of the dynamic folder did not become proposals: ${failed
            .slice(0, 3)
            .map(({ file }) => shownLine(file, 60))
            .join(', ')}. Why: ${prefix} tools dynamic`,
        },
      ]
}
