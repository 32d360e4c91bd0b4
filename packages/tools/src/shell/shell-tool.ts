import { randomBytes } from 'node:crypto'
import {
  type ToolContext,
  type ToolDefinition,
  defineTool,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import { z } from 'zod'
import { assertNamedByCallers } from '../caller-policy.ts'
import { commandEnvironment } from './command-environment.ts'
import { commandFolder } from './command-folder.ts'
import { type CommandInput, commandInputSchema, markerVariable } from './command-input.ts'
import { type CommandPlaces, findAllowedCommand, findCommand } from './command-lookup.ts'
import { type CommandOutcome, runCommand } from './command-run.ts'
import type { Containment, ContainmentName, PreparedCommand } from './containment/containment.ts'
import { describeCommand } from './describe-command.ts'
import { rememberContainment } from './containment/remember-containment.ts'
import { type ShellSettings, type ShellToolOptions, readShellOptions } from './shell-options.ts'

export type { ShellToolOptions } from './shell-options.ts'

/** What a call of the shell tool gives. */
export interface ShellOutput {
  readonly stdout: string
  readonly stderr: string
  /** `null` when a signal ended the command. Inside a sandbox or namespace, a signal shows as 128 + its number. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** There was more output than may be returned; the command was ended then. */
  readonly truncated: boolean
  /** The command was ended because its time was up. */
  readonly timedOut?: boolean | undefined
  readonly containment: ContainmentName
  /** 'unknown' where something that the command started may still be running. */
  readonly processesLeft: 'none' | 'unknown'
  readonly stdoutEncoding: 'utf8' | 'base64'
  readonly stderrEncoding: 'utf8' | 'base64'
}

const encoding = z.enum(['utf8', 'base64'])

const shellOutputSchema: z.ZodType<ShellOutput> = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  truncated: z.boolean(),
  timedOut: z.boolean().optional(),
  containment: z.enum(['bubblewrap', 'namespace', 'process-group']),
  processesLeft: z.enum(['none', 'unknown']),
  stdoutEncoding: encoding,
  stderrEncoding: encoding,
})

const shellToolOptionNames: KnownOptions<ShellToolOptions> = {
  commands: true,
  workspace: true,
  readable: true,
  hidden: true,
  network: true,
  containment: true,
  environment: true,
  inputVariables: true,
  timeoutMs: true,
  maxOutputBytes: true,
  killAfterMs: true,
}

/**
 * Makes the tool `shell`, which runs a program with arguments: no shell reads them unless the program is one. An exit
 * code is a result, whatever it is.
 *
 * @throws {ToolError} TOOL_DEFINITION_INVALID when an option cannot be used.
 */
export function createShellTool(
  options: ShellToolOptions,
): ToolDefinition<CommandInput, ShellOutput> {
  assertOptions<ShellToolOptions>('createShellTool', options, shellToolOptionNames)
  const settings = readShellOptions(options)
  const contain = rememberContainment(settings)
  return defineTool({
    name: 'shell',
    description: describeTool(settings),
    inputSchema: commandInputSchema,
    outputSchema: shellOutputSchema,
    timeoutMs: settings.timeoutMs,
    // Text may double in JSON, and base64 takes a third more.
    maxOutputBytes: settings.maxOutputBytes * 2 + 65_536,
    risk: 'high',
    annotations: {
      title: 'Run a command',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: settings.network === 'host',
    },
    describeCall: describeCommand,
    // Somebody may call it without an invoker, and so without a context.
    execute: async (input, signal, context?: ToolContext) => {
      assertNamedByCallers(context)
      const deadline = context?.deadline ?? Date.now() + settings.timeoutMs
      signal.throwIfAborted()
      const containment = await contain(signal)
      signal.throwIfAborted()
      const marker = randomBytes(12).toString('hex')
      const command = prepare(input, { settings, containment, marker })
      const outcome = await runCommand({
        containment,
        launch: containment.launch(command),
        command: command.file,
        stdin: decodeStdin(input),
        marker: `${markerVariable}=${marker}`,
        limits: { ...settings, deadline },
        hasCaller: context !== undefined,
        signal,
      })
      return describeOutcome(outcome, containment.name)
    },
  })
}

function prepare(
  input: CommandInput,
  call: {
    readonly settings: ShellSettings
    readonly containment: Containment
    readonly marker: string
  },
): PreparedCommand {
  const { settings, containment, marker } = call
  const folder = commandFolder(settings.workspace, settings.hidden, input.cwd)
  const environment: Record<string, string> = {
    ...containment.environment,
    ...commandEnvironment({
      host: process.env,
      hostVariables: settings.environment,
      workspace: settings.workspace,
      input: input.env,
      inputVariables: settings.inputVariables,
    }),
    [markerVariable]: marker,
  }
  const places: CommandPlaces = {
    searchPath: environment['PATH'] ?? settings.searchPath,
    folder,
    isVisible: (path) => containment.isVisible(path),
  }
  const file =
    settings.commands === undefined
      ? findCommand(input.command, places)
      : findAllowedCommand(input.command, settings.commands, {
          ...places,
          searchPath: settings.safeSearchPath(),
        })
  return { file, args: input.args ?? [], folder, environment }
}

function decodeStdin({ stdin, stdinEncoding = 'utf8' }: CommandInput): Buffer | undefined {
  return stdin === undefined ? undefined : Buffer.from(stdin, stdinEncoding)
}

function describeOutcome(outcome: CommandOutcome, containment: ContainmentName): ShellOutput {
  const { stdout, stderr, exitCode, signal, truncated, timedOut, processesLeft } = outcome
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    signal,
    truncated,
    ...(timedOut && { timedOut }),
    containment,
    processesLeft,
    stdoutEncoding: stdout.encoding,
    stderrEncoding: stderr.encoding,
  }
}

function describeTool({ commands, network, timeoutMs }: ShellSettings): string {
  return [
    'Runs a program with arguments in the workspace and gives what it wrote and its exit code.',
    'No shell reads the arguments: for pipes, variables and wildcards run "sh" with ["-c", "…"].',
    ...(commands === undefined ? [] : [`Only these may be run: ${commands.join(', ')}.`]),
    ...(network === 'none' ? ['Commands may have no network.'] : []),
    `Whatever it starts is ended with it, at the latest after ${timeoutMs / 1_000} s; nothing runs on in the background.`,
  ].join(' ')
}
