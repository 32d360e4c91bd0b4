import { styleText } from 'node:util'
import { type Envelope, errorEnvelope } from '../host/envelope.ts'
import { shownText } from './review/shown-text.ts'

/** Where text goes. */
export interface TextStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** Of a terminal. */
  readonly columns?: number
  readonly rows?: number
}

/** Writes results to standard output and everything else to standard error, as text or as JSON. */
export interface Printer {
  readonly isJson: boolean
  /** The result of a command: `human` as text, or the data as one JSON envelope with `--json`. */
  result(data: unknown, human: () => string): void
  /** One line of a stream of results, such as `log --follow`; JSON lines with `--json`. */
  line(data: unknown, human: () => string): void
  /** A remark for people; never on standard output. */
  note(text: string): void
  failure(error: unknown, next: string | undefined): Envelope<never>
  style(format: Parameters<typeof styleText>[0], text: string): string
  /** How wide a row may be for results or remarks, so that no terminal breaks it: one less than the terminal has, 79 where there is none. */
  columns(where: 'result' | 'note'): number
  /** Moves what stands on the screen of remarks out of sight, so that nothing of it stands beside what follows; nothing without a terminal. */
  clearScreen(): void
}

/** Makes a printer; colours only where the stream is a terminal that wants them. */
export function createPrinter({
  json = false,
  stdout = process.stdout,
  stderr = process.stderr,
}: {
  readonly json?: boolean
  readonly stdout?: TextStream
  readonly stderr?: TextStream
} = {}): Printer {
  const style: Printer['style'] = (format, text) =>
    styleText(format, text, { stream: stdout as NodeJS.WriteStream, validateStream: true })
  return {
    isJson: json,
    style,
    columns: (where) => Math.max(20, ((where === 'result' ? stdout : stderr).columns ?? 80) - 1),
    clearScreen: () => {
      // What was read goes up, where it can be read again, and is not wiped out.
      if (stderr.isTTY === true) stderr.write(`${'\n'.repeat(stderr.rows ?? 50)}\u001B[H\u001B[2J`)
    },
    result: (data, human) => {
      stdout.write(json ? `${JSON.stringify({ ok: true, data })}\n` : `${human()}\n`)
    },
    line: (data, human) => {
      stdout.write(`${json ? JSON.stringify(data) : human()}\n`)
    },
    note: (text) => {
      stderr.write(`${text}\n`)
    },
    failure: (error, next) => {
      const envelope = errorEnvelope(error)
      if (envelope.ok) return envelope
      if (json) stdout.write(`${JSON.stringify(envelope)}\n`)
      else stderr.write(`✘ ${shownText(envelope.error.message)}  [${envelope.error.code}]\n`)
      if (!json && next !== undefined) stderr.write(`  Next: ${next}\n`)
      return envelope
    },
  }
}
