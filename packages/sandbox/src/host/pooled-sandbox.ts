import { bubblewrapCommand } from '../lanes/bubblewrap-command.ts'
import { processCommand } from '../lanes/child-command.ts'
import type { WasmModule } from '../guest-engine/web-assembly.ts'
import type { ToolError } from '@toolcrib/registry'
import { readEngineFacts } from '../engine-facts.ts'
import { sandboxError } from '../error-catalogue.ts'
import { findIsolateEngine } from '../isolate/isolate-command.ts'
import { HostRun, type RunRequest, type RunResult } from './host-run.ts'
import type { Lane, LaneEvents } from '../lanes/lane.ts'
import { ProcessLane } from '../lanes/process-lane.ts'
import { hashModule } from './module-hash.ts'
import { monotonicMs } from './monotonic-clock.ts'
import { Pool } from './pool.ts'
import type { ModuleMessage } from '../lanes/protocol.ts'
import { readCallLimits, readLoadLimits, readSandboxLimits } from './sandbox-limits.ts'
import type { SandboxOptions } from './create-sandbox.ts'
import type {
  Sandbox,
  SandboxCallOptions,
  SandboxEngine,
  SandboxLoadOptions,
  SandboxLoadOutcome,
  SandboxMode,
  SandboxModule,
  SandboxOutcome,
} from '../sandbox.ts'
import { TrialTurns } from './trial-turns.ts'
import { WorkerLane } from '../lanes/worker-lane.ts'

/** Each instance reserves 8 GB of addresses, so there are never more than these in a process. */
const maxInstances = 64

/** A loop inside V8 ends its whole process, so few calls share one. */
const maxIsolates = 4

/** Trials of several owners at once: an endless one of one owner keeps nobody else's waiting. */
const maxTrials = 2

/** How long a load waits for a worker, and for one to start, beside the time that it may take. */
const maxStartMs = 60_000

/** A sandbox over a pool of threads or processes. */
export class PooledSandbox implements Sandbox {
  readonly engine: SandboxEngine
  readonly #pool: Pool
  /** Workers of their own, so that what nobody approved keeps no call waiting and ends none. */
  readonly #trials: Pool
  readonly #trialTurns: TrialTurns
  /** In the order of their last use. */
  readonly #modules = new Map<string, ModuleMessage>()
  /** Modules whose first load is under way, with how many loads wait for it. */
  readonly #loading = new Map<string, { readonly module: ModuleMessage; count: number }>()
  readonly #maxModules: number

  constructor(options: SandboxOptions) {
    const { mode = 'worker' } = options
    const limits = readSandboxLimits(options)
    const engine = mode === 'isolate' ? findIsolateEngine() : readEngineFacts()
    const { name, version, fingerprint } = engine
    this.engine = { name, version, fingerprint, mode }
    this.#maxModules = limits.maxModules
    const { maxWorkers, maxCallsPerWorker } = limits
    const share = mode === 'worker' ? Math.floor(maxInstances / maxWorkers) : maxPerProcess(mode)
    const runsPerLane = Math.max(1, Math.min(maxCallsPerWorker, share))
    const openLane =
      'module' in engine
        ? chooseLane(mode, engine.module, runsPerLane)
        : (events: LaneEvents) => new ProcessLane(engine.command, events)
    const { graceMs, maxWaitingCalls: maxWaiting } = limits
    const findModule = (hash: string): ModuleMessage | undefined =>
      this.#modules.get(hash) ?? this.#loading.get(hash)?.module
    const shared = { maxWaiting, graceMs, openLane, findModule }
    this.#pool = new Pool({ ...shared, maxLanes: maxWorkers, runsPerLane })
    const trials = Math.min(maxTrials, maxWorkers)
    this.#trials = new Pool({ ...shared, maxLanes: trials, runsPerLane: 1 })
    this.#trialTurns = new TrialTurns(trials, maxWaiting)
  }

  async load(module: SandboxModule, options: SandboxLoadOptions = {}): Promise<SandboxLoadOutcome> {
    const startedAt = performance.now()
    const { source, imports } = readModule(module)
    const { timeoutMs, memoryBytes } = readLoadLimits(options)
    const trialOf = readTrialOf(options)
    const hash = hashModule({ source, imports })
    const durationMs = (): number => performance.now() - startedAt
    if (this.#use(hash) !== undefined) return { ok: true, hash, durationMs: durationMs() }
    const message: ModuleMessage = { type: 'module', hash, source, imports }
    const entry = this.#loading.get(hash) ?? { module: message, count: 0 }
    entry.count += 1
    this.#loading.set(hash, entry)
    const { outcome } = await this.#run(trialOf, options.signal, () => ({
      type: 'load',
      hash,
      signal: options.signal,
      limits: { deadline: monotonicMs() + timeoutMs + maxStartMs, cpuMs: timeoutMs, memoryBytes },
    }))
    entry.count -= 1
    if (entry.count === 0) this.#loading.delete(hash)
    if (outcome.ok) {
      this.#modules.set(hash, message)
      this.#trim()
      return { ok: true, hash, durationMs: durationMs() }
    }
    if (outcome.reason === 'input') throw new Error('A load has no input')
    if (entry.count === 0 && !this.#modules.has(hash)) this.#forget(hash)
    return { ...outcome, hash, durationMs: durationMs() }
  }

  async call(
    hash: string,
    inputJson: string,
    options: SandboxCallOptions = {},
  ): Promise<SandboxOutcome> {
    if (typeof inputJson !== 'string') throw invalid('inputJson', 'must be a text of JSON')
    const { timeoutMs, ...limits } = readCallLimits(options)
    const trialOf = readTrialOf(options)
    const callJson = writeCall(options.call)
    this.#use(hash)
    const { outcome, facts } = await this.#run(trialOf, options.signal, () => ({
      type: 'call',
      hash,
      inputJson,
      callJson,
      operations: options.operations ?? {},
      signal: options.signal,
      limits: { deadline: monotonicMs() + timeoutMs, ...limits },
    }))
    if (!outcome.ok && outcome.reason === 'input') throw invalid('inputJson', outcome.message)
    return { ...outcome, ...facts }
  }

  unload(hash: string): void {
    this.#modules.delete(hash)
    this.#forget(hash)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#trials.close()])
  }

  #forget(hash: string): void {
    this.#pool.forget(hash)
    this.#trials.forget(hash)
  }

  /** @param toRequest is called when the turn has come: the time for a trial begins then */
  async #run(
    trialOf: string | undefined,
    signal: AbortSignal | undefined,
    toRequest: () => RunRequest,
  ): Promise<RunResult> {
    if (trialOf === undefined) return submit(this.#pool, toRequest())
    const turns = this.#trialTurns
    if (!(await turns.take(trialOf, signal))) return refuseTrial(toRequest(), turns.waiting)
    try {
      return await submit(this.#trials, toRequest())
    } finally {
      turns.end(trialOf)
    }
  }

  #use(hash: string): ModuleMessage | undefined {
    const module = this.#modules.get(hash)
    if (module === undefined) return undefined
    this.#modules.delete(hash)
    this.#modules.set(hash, module)
    return module
  }

  #trim(): void {
    for (const hash of this.#modules.keys()) {
      if (this.#modules.size <= this.#maxModules) return
      this.unload(hash)
    }
  }
}

function submit(pool: Pool, request: RunRequest): Promise<RunResult> {
  const run = new HostRun(request)
  pool.submit(run)
  return run.finished
}

function refuseTrial(request: RunRequest, waiting: number): Promise<RunResult> {
  const run = new HostRun(request)
  if (request.signal?.aborted === true) run.fail('aborted', 'The signal aborted')
  else run.fail('busy', `${waiting} trials wait already for a worker`)
  return run.finished
}

function readTrialOf({ trialOf }: { readonly trialOf?: string }): string | undefined {
  if (trialOf === undefined || typeof trialOf === 'string') return trialOf
  throw invalid('trialOf', 'must be a text')
}

function maxPerProcess(mode: SandboxMode): number {
  return mode === 'isolate' ? maxIsolates : maxInstances
}

function chooseLane(
  mode: SandboxMode,
  module: WasmModule,
  runsPerLane: number,
): (events: LaneEvents) => Lane {
  switch (mode) {
    case 'worker':
      return (events) => new WorkerLane(module, { slots: runsPerLane }, events)
    case 'process': {
      const command = processCommand()
      return (events) => new ProcessLane(command, events)
    }
    case 'bubblewrap': {
      const command = bubblewrapCommand()
      return (events) => new ProcessLane(command, events)
    }
    default:
      throw invalid('mode', 'must be worker, process, bubblewrap or isolate')
  }
}

function invalid(field: string, problem: string): ToolError<string> {
  return sandboxError('SANDBOX_ARGUMENT_INVALID', `${field} ${problem}`, { field })
}

function readModule(module: SandboxModule): Required<SandboxModule> {
  const { source, imports = {} } = module
  const texts: [string, unknown][] = [
    ['source', source],
    ...Object.entries(imports).map(([name, text]): [string, unknown] => [
      `imports[${JSON.stringify(name.slice(0, 100))}]`,
      text,
    ]),
  ]
  for (const [field, text] of texts) {
    if (typeof text !== 'string') throw invalid(field, 'must be a text')
    if (!text.isWellFormed()) throw invalid(field, 'holds half of a character (a lone surrogate)')
  }
  return { source, imports: { ...imports } }
}

function writeCall(call: SandboxCallOptions['call']): string {
  if (call === undefined) return '{}'
  try {
    return JSON.stringify(call)
  } catch {
    throw invalid('call', 'must be JSON')
  }
}
