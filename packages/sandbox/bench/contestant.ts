/** One way to run a tool's code, opened for one source. */
export interface OpenContestant {
  /** JSON in, JSON out. */
  call(input: string): Promise<string>
  close(): Promise<void>
}

/** One way to run a tool's code, to be measured beside others. */
export interface Contestant {
  readonly name: string
  /** Whether a call finds nothing of the calls before it. */
  readonly isFresh: boolean
  /** Whether the code can be stopped and cannot reach the host. */
  readonly isContained: boolean
  open(): Promise<OpenContestant>
  /** Loads another source beside what is open, and calls it once, so that all of the work is done. */
  load?(source: string): Promise<void>
}

/**
 * The tool that all of them run. Written as the body of a function of `input` and `ask`, because not all of them know
 * modules; `ask` calls the host and gives a promise.
 */
export const toolBody: string = `
  let total = input.a + input.b
  for (let index = 0; index < input.asks; index += 1) total += await ask(index)
  return { total }
`

/** What the host answers. */
export function answer(index: number): number {
  return index + 1
}
