import type {
  CallLogWriter,
  ToolCallCompletion,
  ToolCallFailure,
  ToolCallLate,
  ToolCallStart,
} from '@toolcrib/registry'

/** A log that keeps its rows in lists and can be told to fail or to hang. */
export class RecordingLog implements CallLogWriter {
  readonly starts: ToolCallStart[] = []
  readonly ends: (ToolCallCompletion | ToolCallFailure)[] = []
  readonly lates: ToolCallLate[] = []
  /** Runs before each row is kept; throw, reject or hang in it. */
  before: (row: 'start' | 'complete' | 'failure' | 'late') => unknown = () => undefined

  async logToolStart(call: ToolCallStart): Promise<void> {
    await this.before('start')
    this.starts.push(call)
  }

  async logToolComplete(end: ToolCallCompletion): Promise<void> {
    await this.before('complete')
    this.ends.push(end)
  }

  async logToolFailure(end: ToolCallFailure): Promise<void> {
    await this.before('failure')
    this.ends.push(end)
  }

  async logToolLate(late: ToolCallLate): Promise<void> {
    await this.before('late')
    this.lates.push(late)
  }

  /** Everything that was written, as one text. */
  get text(): string {
    return JSON.stringify([this.starts, this.ends, this.lates])
  }

  /** The codes of failed calls in order. */
  get codes(): (string | undefined)[] {
    return this.ends.map((end) => ('error' in end ? end.error.code : undefined))
  }
}
