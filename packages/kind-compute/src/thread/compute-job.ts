import {
  type CompiledCompute,
  ComputeError,
  type ComputeLimits,
  compileCompute,
} from '@toolcrib/compute'

/** A program as the thread gets it. The thread keeps what it compiled, by the text of all this. */
export interface ProgramText {
  /** The program as JSON. */
  readonly logic: string
  readonly inputs: readonly string[]
  readonly limits: Partial<ComputeLimits>
}

/** What the thread is told: arguments bit by bit, and at last what to do with them. */
export type JobMessage =
  | { readonly name: string; readonly value: unknown }
  | { readonly name: string; readonly items: readonly unknown[] }
  | { readonly run: ProgramText }

/** What the thread answers to the last message. */
export type JobReply =
  | { readonly value: unknown }
  | { readonly issues: ComputeError['issues'] }
  | { readonly failure: string }

/** How many programs the thread keeps. */
const maxPrograms = 50

/** Carries out one job after the other; in the thread. */
export class JobReader {
  readonly #programs = new Map<string, CompiledCompute>()
  #input: Record<string, unknown> = {}

  /** Takes a message; answers the last one of a job. */
  take(message: JobMessage): JobReply | undefined {
    if ('run' in message) {
      const input = this.#input
      this.#input = {}
      return this.#run(message.run, input)
    }
    const { name } = message
    if ('items' in message) {
      const list = (Object.hasOwn(this.#input, name) ? this.#input[name] : []) as unknown[]
      for (const item of message.items) list.push(item)
      this.#set(name, list)
    } else this.#set(name, message.value)
    return undefined
  }

  #set(name: string, value: unknown): void {
    const property = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(this.#input, name, property)
  }

  #run(program: ProgramText, input: Record<string, unknown>): JobReply {
    try {
      return { value: this.#compile(program).run(input) }
    } catch (error) {
      if (ComputeError.is(error)) return { issues: error.issues }
      return { failure: error instanceof Error ? error.message : 'unknown' }
    }
  }

  #compile(program: ProgramText): CompiledCompute {
    const key = JSON.stringify(program)
    const known = this.#programs.get(key)
    if (known !== undefined) return known
    const { logic, inputs, limits } = program
    const compiled = compileCompute(JSON.parse(logic), { inputs, limits })
    const [oldest] = this.#programs.keys()
    if (oldest !== undefined && this.#programs.size >= maxPrograms) this.#programs.delete(oldest)
    this.#programs.set(key, compiled)
    return compiled
  }
}
