import { answer, toolBody } from './contestant.ts'

type Ask = (index: number) => Promise<number>
export type Tool = (input: unknown, ask: Ask) => Promise<unknown>

/** The tool as a function of this realm, with nothing around it. */
export function makeTool(): Tool {
  // oxlint-disable-next-line typescript/no-implied-eval -- this is what is measured
  return new Function(`return async (input, ask) => {${toolBody}}`)() as Tool
}

export type ToPlain =
  | { readonly id: number; readonly input: string }
  | { readonly ask: number; readonly answer: number }
export type FromPlain =
  | { readonly id: number; readonly output: string }
  | { readonly ask: number; readonly index: number }

/** The other side: runs the tool for each message and asks by messages. */
export function servePlainly(
  post: (message: FromPlain) => void,
  onMessage: (take: (message: ToPlain) => void) => void,
): void {
  const tool = makeTool()
  const waiting = new Map<number, (value: number) => void>()
  let last = 0
  const ask: Ask = (index) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      post({ ask: last, index })
    })
  const run = async (id: number, input: string): Promise<void> => {
    post({ id, output: JSON.stringify(await tool(JSON.parse(input), ask)) })
  }
  onMessage((message) => {
    if ('id' in message) void run(message.id, message.input)
    else {
      waiting.get(message.ask)?.(message.answer)
      waiting.delete(message.ask)
    }
  })
}

/** This side: one promise for each call, and an answer for each question. */
export class PlainCalls {
  readonly #waiting = new Map<number, (output: string) => void>()
  readonly #post: (message: ToPlain) => void
  #last = 0

  constructor(post: (message: ToPlain) => void) {
    this.#post = post
  }

  call(input: string): Promise<string> {
    return new Promise((resolve) => {
      this.#last += 1
      this.#waiting.set(this.#last, resolve)
      this.#post({ id: this.#last, input })
    })
  }

  take(message: FromPlain): void {
    if ('ask' in message) {
      this.#post({ ask: message.ask, answer: answer(message.index) })
      return
    }
    this.#waiting.get(message.id)?.(message.output)
    this.#waiting.delete(message.id)
  }
}
