import { createSandbox, type HostOperations, type SandboxOptions } from '@toolcrib/sandbox'
import { answer, type Contestant, type OpenContestant, toolBody } from './contestant.ts'

const operations: HostOperations = {
  'tools.call': (argument) => {
    const { input } = argument as { readonly input: { readonly index: number } }
    return answer(input.index)
  },
}

const source = `export default async (input, ctx) => {
  const ask = (index) => ctx.tools.call('ask', { index })
  ${toolBody}
}`

/** This sandbox with one worker. */
export function createOwn(mode: NonNullable<SandboxOptions['mode']>): Contestant {
  const sandbox = createSandbox({ mode, maxWorkers: 1 })
  const load = async (text: string): Promise<string> => {
    const loaded = await sandbox.load({ source: text })
    if (!loaded.ok) throw new Error(loaded.message)
    return loaded.hash
  }
  const call = async (hash: string, input: string): Promise<string> => {
    const outcome = await sandbox.call(hash, input, { operations })
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`)
    return outcome.json
  }
  return {
    name: `@toolcrib/sandbox, ${mode}`,
    isFresh: true,
    isContained: true,
    open: async (): Promise<OpenContestant> => {
      const hash = await load(source)
      return { call: (input) => call(hash, input), close: () => sandbox.close() }
    },
    load: async (text) => {
      const hash = await load(text)
      await call(hash, '{"a":1,"b":2,"asks":0}')
      sandbox.unload(hash)
    },
  }
}
