import { createSandbox, type GuestLog, type HostOperations, type Sandbox } from '../src/index.ts'

/** What a piece of guest code gave. */
export interface GuestRun {
  readonly value: unknown
  readonly logs: readonly GuestLog[]
}

/** Runs pieces of code in one sandbox, for tests of what a guest finds. */
export class GuestRunner {
  readonly #sandbox: Sandbox = createSandbox({ maxWorkers: 1 })

  async close(): Promise<void> {
    await this.#sandbox.close()
  }

  /** Gives what `body` returns; it sees `input` and `ctx`. */
  async run(body: string, input: unknown = {}, operations: HostOperations = {}): Promise<GuestRun> {
    const source = `export default async (input, ctx) => { ${body}\n}`
    const loaded = await this.#sandbox.load({ source })
    if (!loaded.ok) throw new Error(`${loaded.reason}: ${loaded.message}`)
    const outcome = await this.#sandbox.call(loaded.hash, JSON.stringify(input), {
      operations,
      memoryBytes: 134_217_728,
      call: { id: 'call-1', toolName: 'sample' },
    })
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`)
    return { value: JSON.parse(outcome.json), logs: outcome.logs }
  }
}
