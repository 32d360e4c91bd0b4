import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LoggedToolCall } from '@toolcrib/registry'
import { type Kernel, createKernel } from '../../src/host/kernel.ts'
import { quickCompiler } from '../run-toolcrib.ts'

/** What the killed host said was done, by tool name. */
export interface Promised {
  /** The version that was acknowledged as active. */
  readonly active: Map<string, number>
  /** The version whose approval was under way; it may or may not have come through. */
  readonly approving: Map<string, number>
  /** Calls whose result was handed out. */
  readonly answered: Set<string>
}

/** Nothing promised yet. */
export function emptyPromise(): Promised {
  return { active: new Map(), approving: new Map(), answered: new Set() }
}

interface Fact {
  readonly ready?: true
  readonly name?: string
  readonly active?: number
  readonly approving?: number
  readonly callId?: string
}

/**
 * Starts the workload, kills it with SIGKILL after a while, and adds to `promised` what it had said. The time counts from when the
 * host is ready; with `whileStarting` from when its process is there, so that the kill may hit its start.
 */
export async function killOneHost(
  data: string,
  {
    promised,
    passphrase,
    round,
    afterMs,
    whileStarting = false,
  }: {
    promised: Promised
    passphrase: string
    round: number
    afterMs: number
    whileStarting?: boolean
  },
): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@toolcrib/source',
      ...quickCompiler,
      resolve(import.meta.dirname, 'workload.ts'),
      data,
      passphrase,
      String(round),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const errors: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
  const ended = new Promise<NodeJS.Signals | null>((done) =>
    child.once('close', (_code, signal) => done(signal)),
  )
  const ready = readFacts(child, promised)
  if (!whileStarting) await ready
  await wait(afterMs)
  child.kill('SIGKILL')
  if ((await ended) !== 'SIGKILL')
    throw new Error(`The workload ended by itself:\n${Buffer.concat(errors).toString()}`)
}

/** Takes up every fact that comes; resolves when the workload is ready. */
function readFacts(child: ChildProcess, promised: Promised): Promise<void> {
  let rest = ''
  return new Promise((ready) => {
    // A workload that ends too early is told apart by how it ended.
    child.once('close', () => ready())
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const fact = JSON.parse(line) as Fact
        if (fact.ready === true) ready()
        if (fact.name !== undefined && fact.approving !== undefined)
          promised.approving.set(fact.name, fact.approving)
        if (fact.name !== undefined && fact.active !== undefined)
          promised.active.set(fact.name, fact.active)
        if (fact.callId !== undefined) promised.answered.add(fact.callId)
      }
    })
  })
}

/** Starts a host where the killed one was, and lists every promise that was broken. */
export async function findBrokenPromises(
  data: string,
  promised: Promised,
): Promise<readonly string[]> {
  const kernel = await createKernel({ data, environment: {} })
  try {
    const audit = await kernel.toolsmaker.verifyAudit()
    return [
      ...(audit.ok ? [] : [`the record is wrong at event ${audit.sequence}: ${audit.reason}`]),
      ...(await wrongTools(kernel, promised)),
      ...(await wrongCalls(kernel, promised)),
    ]
  } finally {
    await kernel.close()
  }
}

async function wrongTools(
  kernel: Kernel,
  { active, approving }: Promised,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [name, version] of active) {
    const result = await kernel.invoker.invoke(
      name,
      { x: 1 },
      { principal: { kind: 'agent', id: 'crash' } },
    )
    const allowed = [version, approving.get(name) ?? version]
    if (!result.success)
      problems.push(`${name} v${version} was acknowledged as active and is lost: ${result.error}`)
    else if (!allowed.includes(result.output as number))
      problems.push(
        `${name} runs v${JSON.stringify(result.output)}, only ${allowed.join(' or ')} was approved`,
      )
  }
  return problems
}

async function wrongCalls({ callLog }: Kernel, { answered }: Promised): Promise<readonly string[]> {
  const calls = new Map<string, LoggedToolCall>()
  let cursor: string | undefined
  do {
    const page = await callLog.query({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) })
    for (const call of page.calls) calls.set(call.callId, call)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return [
    ...[...calls.values()]
      .filter(({ status }) => status === 'started')
      .map(({ callId }) => `${callId} has no terminal row and was not swept`),
    ...[...calls.values()]
      .filter(({ callId, status }) => status === 'interrupted' && answered.has(callId))
      .map(({ callId }) => `${callId} was answered and reads interrupted`),
    ...[...answered]
      .filter((callId) => !calls.has(callId))
      .map((callId) => `${callId} was answered and is not in the log`),
  ]
}
