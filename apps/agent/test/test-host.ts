import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolResult } from '@toolcrib/registry'
import { type ApprovalSigner, signDecision } from '@toolcrib/toolsmaker'
import type { Host } from '../src/host/host.ts'
import { openHost } from '../src/host/open-host.ts'
import type { OperationOutput } from '../src/operations/catalogue.ts'
import { runCommand } from './command-in-process.ts'
import {
  type CommandOutcome,
  makeTemporaryFolder,
  startToolcrib,
  waitForOutput,
} from './run-toolcrib.ts'

/** A host on a folder of its own, and commands that reach it as a person would. */
export class TestHost {
  readonly folder = makeTemporaryFolder()
  readonly data = join(this.folder.path, '.toolcrib')
  readonly workspace = join(this.data, 'workspace')
  #child: ReturnType<typeof startToolcrib> | undefined
  started = ''

  writeSettings(settings: unknown): void {
    mkdirSync(join(this.data, 'trust'), { recursive: true, mode: 0o700 })
    const path = join(this.data, 'trust/tool-settings.json')
    writeFileSync(path, JSON.stringify(settings), { mode: 0o600 })
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#child = startToolcrib(this.folder.path, ['start'], environment)
    this.started = await waitForOutput(this.#child, /The host runs/)
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  /** Ends the host at once, as a crash would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('close', done))
    child.kill(signal)
    await ended
  }

  run(...parameters: string[]): Promise<CommandOutcome> {
    return runCommand(this.folder.path, parameters)
  }

  /** Runs a command that reads something from standard input. */
  runWith(input: string, ...parameters: string[]): Promise<CommandOutcome> {
    return runCommand(this.folder.path, parameters, { input })
  }

  /** Reaches the running host over its socket, as commands do. */
  reach(): Promise<Host> {
    return openHost({ data: this.data, environment: {} })
  }

  /** Calls a tool by the command. */
  call(tool: string, input: unknown): Promise<CommandOutcome> {
    return this.run('tools', 'call', tool, JSON.stringify(input))
  }

  /** Calls a tool over the socket, as the command does, without starting a process for it. */
  async invoke(tool: string, input: unknown): Promise<ToolResult> {
    const host = await this.reach()
    return host.call('tools.call', { name: tool, input })
  }

  async output(tool: string, input: unknown): Promise<Record<string, unknown>> {
    const result = await this.invoke(tool, input)
    if (!result.success) throw new Error(result.error)
    return result.output as Record<string, unknown>
  }

  /** What a shell script printed; where no sandbox works here, the code with which it was refused. */
  async printed(script: string): Promise<string> {
    const result = await this.invoke('shell', { command: 'sh', args: ['-c', script] })
    return result.success
      ? (result.output as { stdout: string }).stdout
      : JSON.stringify(result.errorData)
  }

  /** The rule of the violation that a call ends with. */
  async brokenRule(tool: string, input: unknown): Promise<unknown> {
    const result = await this.invoke(tool, input)
    if (result.success || result.errorCode !== 'POLICY_VIOLATION') return JSON.stringify(result)
    const { toolErrorData } = result.errorData ?? {}
    return (toolErrorData as { rule?: unknown } | undefined)?.rule
  }

  /** Proposes the tool in a TypeScript file, as `make` does, without starting a process for it. */
  async propose(name: string, source: string): Promise<OperationOutput<'tools.make-file'>> {
    const host = await this.reach()
    return host.call('tools.make-file', { name, source, file: `${name}.ts` })
  }

  /** Has an approver sign a version and puts it into use, as `approvals approve` does. */
  async approve(name: string, version: number, signer: ApprovalSigner): Promise<void> {
    const host = await this.reach()
    const statement = await host.call('decisions.prepare', {
      action: 'approve_and_activate',
      name,
      version,
      approver: signer.approverId,
    })
    await host.call('decisions.carry-out', { decision: await signDecision(statement, signer) })
  }

  async ask<Data>(...parameters: string[]): Promise<Data> {
    const { stdout, stderr } = await this.run(...parameters, '--json')
    const envelope = JSON.parse(stdout) as { ok: boolean; data: Data }
    if (!envelope.ok) throw new Error(stdout + stderr)
    return envelope.data
  }

  /** What the record of the lifecycle holds about violations. */
  violations(): readonly Record<string, unknown>[] {
    return readFileSync(join(this.data, 'store/audit.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('tool_policy_blocked'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}
