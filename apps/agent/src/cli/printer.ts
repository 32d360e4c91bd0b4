import { styleText } from 'node:util'
import { type Envelope, errorEnvelope } from '../host/envelope.ts'
import { layOut } from './review/terminal-rows.ts'

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
  /** Whether somebody sees the remarks: on a terminal, and not with `--json`, which makes none. */
  readonly isScreen: boolean
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

/** How many columns a terminal needs for rows that it does not break. */
export const leastColumns = 20

/** How wide a row may be on a stream. One that knows no size of its own says 0, or nothing. */
function rowWidth({ columns = 0 }: TextStream): number {
  return Math.max(leastColumns, columns === 0 ? 80 : columns) - 1
}

/** A message may hold what a tool or a host says: each row that follows has a mark, so that none looks like one of this program. */
function failureRows(
  { code, message }: { readonly code: string; readonly message: string },
  stream: TextStream,
): readonly string[] {
  // Without a terminal nothing breaks a row, and whoever reads it looks for whole lines.
  const columns = stream.isTTY === true ? rowWidth(stream) : Infinity
  return layOut(`${message}  [${code}]`, { columns, first: '✘ ', rest: '│ ' })
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
    isScreen: !json && stderr.isTTY === true,
    style,
    columns: (where) => rowWidth(where === 'result' ? stdout : stderr),
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
      else stderr.write(`${failureRows(envelope.error, stderr).join('\n')}\n`)
      if (!json && next !== undefined) stderr.write(`  Next: ${next}\n`)
      return envelope
    },
  }
}
