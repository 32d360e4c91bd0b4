import { createRequire } from 'node:module'
import { MessageChannel, type MessagePort, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { SourceRule } from './source-problem.ts'

/** Why a source cannot be read at all. Line and column count from 1. */
export class SourceSyntaxError extends Error {
  override readonly name = 'SourceSyntaxError'
  readonly rule: Extract<SourceRule, 'syntax' | 'syntax.not-erasable' | 'size'>
  readonly line: number
  readonly column: number

  constructor(
    message: string,
    { rule, line = 1, column = 1 }: Pick<SourceSyntaxError, 'rule'> & Partial<SourcePlace>,
  ) {
    super(message)
    this.rule = rule
    this.line = line
    this.column = column
  }
}

interface SourcePlace {
  readonly line: number
  readonly column: number
}

/** What bounds {@link stripTypes}. */
export interface StripTypesOptions {
  /** How long reading may take, in milliseconds; it takes that long only for a source that was made to be slow. @default 1_000 */
  readonly timeoutMs?: number
}

type StripAnswer =
  | { readonly code: string }
  | { readonly failed: { readonly code: string; readonly message: string } & SourcePlace }
  | { readonly broken: string }

interface Stripper {
  readonly worker: Worker
  readonly port: MessagePort
  readonly flag: Int32Array
}

/** How long the thread may take to start on a machine under load, in milliseconds. */
const startTimeoutMs = 30_000
let stripper: Stripper | undefined

/**
 * Erases the types of a module: each becomes as many spaces, so that every line and column stays what it was.
 *
 * The parser is fast, but there are small sources on which it doubles its work with each level, and others on which it runs
 * out of stack and is broken afterwards. So it lives in a thread of its own, which is ended when it does not answer.
 *
 * @throws {SourceSyntaxError} with the rule `syntax`, `syntax.not-erasable` or `size`
 */
export function stripTypes(source: string, { timeoutMs = 1_000 }: StripTypesOptions = {}): string {
  const current = (stripper ??= startStripper())
  Atomics.store(current.flag, 0, 0)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
  current.port.postMessage(source)
  const answer = waitForAnswer(current, timeoutMs)
  if (answer === undefined || 'broken' in answer)
    throw new SourceSyntaxError(
      answer === undefined
        ? `Reading the source took more than ${timeoutMs} ms. Nest generic functions, conditional expressions and arrow functions less.`
        : 'The source nests too deep to be read. Split it into functions and statements.',
      { rule: 'size' },
    )
  if ('failed' in answer) throw syntaxErrorOf(answer.failed, source)
  if (answer.code.length !== source.length)
    throw new SourceSyntaxError(
      'The source begins with a byte order mark or holds halves of characters. Remove them.',
      { rule: 'syntax' },
    )
  return answer.code
}

function startStripper(): Stripper {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(stripperProgram, {
    eval: true,
    workerData: { flag, port: port2, amaro: createRequire(import.meta.url).resolve('amaro') },
    transferList: [port2],
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { stackSizeMb: 4 },
  })
  // A thread that fails is missed when its answer is; the process must not end for it.
  worker.on('error', () => undefined)
  worker.unref()
  port.unref()
  const started: Stripper = { worker, port, flag }
  if (waitForAnswer(started, startTimeoutMs) === undefined)
    throw new Error('The thread that reads TypeScript did not start; is the package amaro there?')
  return started
}

function waitForAnswer(current: Stripper, timeoutMs: number): StripAnswer | undefined {
  const isThere = Atomics.wait(current.flag, 0, 0, timeoutMs) !== 'timed-out'
  const received = isThere ? receiveMessageOnPort(current.port) : undefined
  if (received !== undefined) return received.message as StripAnswer
  stripper = undefined
  current.port.close()
  void current.worker.terminate()
  return undefined
}

// Plain JavaScript for a thread: after any failure that is no answer of the parser, its instance is thrown away.
const stripperProgram = `
const { workerData: { flag, port, amaro } } = require('node:worker_threads')
let transformSync
const load = () => {
  for (const path of Object.keys(require.cache)) delete require.cache[path]
  ;({ transformSync } = require(amaro))
  transformSync('let warm: 1', { mode: 'strip-only' })
}
const answer = (message) => {
  port.postMessage(message)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
load()
port.on('message', (source) => {
  try {
    const { code } = transformSync(source, { mode: 'strip-only' })
    answer({ code })
  } catch (error) {
    if (!(error instanceof Error) && typeof error?.code === 'string') {
      const { code, message, startLine, startColumn } = error
      return answer({ failed: { code, message: String(message), line: startLine ?? 1, column: (startColumn ?? 0) + 1 } })
    }
    load()
    answer({ broken: String(error?.message ?? error) })
  }
})
answer({ code: '' })
`

function syntaxErrorOf(
  { code, message, line, column }: Extract<StripAnswer, { failed: unknown }>['failed'],
  source: string,
): SourceSyntaxError {
  const isErasable = code !== 'UnsupportedSyntax'
  const length = source.split(/\r?\n/, line).at(-1)?.length ?? 0
  const sentence = message.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  return new SourceSyntaxError(
    isErasable
      ? `${sentence.replace(/\.$/, '')}.`
      : `${sentence.replace(/\.$/, '')}. ${notErasableHint(sentence)}`,
    {
      rule: isErasable ? 'syntax' : 'syntax.not-erasable',
      line,
      column: Math.min(column, length + 1),
    },
  )
}

function notErasableHint(message: string): string {
  if (message.includes('enum')) return 'Use an object "as const" or a union of texts.'
  if (/namespace|module/.test(message)) return 'Use plain functions and constants.'
  if (message.includes('parameter property')) return 'Declare the field and set it in the body.'
  if (/import equals|export assignment/.test(message)) return 'Use import and export.'
  return 'Only types that can be erased are taken.'
}
