import ivm from 'isolated-vm'
import {
  answer,
  type Contestant,
  type OpenContestant,
  toolBody,
} from '../packages/sandbox/bench/contestant.ts'

const memoryMegabytes = 32

/** The tool as a function of an isolate, which asks through a reference. */
async function prepare(isolate: ivm.Isolate): Promise<(input: string) => Promise<string>> {
  const context = await isolate.createContext()
  const script = `(async (text) => {
    const input = JSON.parse(text)
    const ask = (index) => askHost.apply(undefined, [index], { result: { promise: true } })
    const run = async () => {${toolBody}}
    return JSON.stringify(await run())
  })`
  await context.global.set('askHost', new ivm.Reference(async (index: number) => answer(index)))
  const tool = await context.eval(script, { reference: true })
  return async (input) => {
    const output: unknown = await tool.apply(undefined, [input], {
      result: { promise: true, copy: true },
      timeout: 1_000,
    })
    return String(output)
  }
}

const fresh: Contestant = {
  name: 'isolated-vm 7, fresh isolate for each call',
  isFresh: true,
  isContained: true,
  open: async (): Promise<OpenContestant> => ({
    call: async (input) => {
      const isolate = new ivm.Isolate({ memoryLimit: memoryMegabytes })
      try {
        return await (
          await prepare(isolate)
        )(input)
      } finally {
        isolate.dispose()
      }
    },
    close: async () => undefined,
  }),
}

const kept: Contestant = {
  name: 'isolated-vm 7, kept',
  isFresh: false,
  isContained: true,
  open: async (): Promise<OpenContestant> => {
    const isolate = new ivm.Isolate({ memoryLimit: memoryMegabytes })
    return { call: await prepare(isolate), close: async () => isolate.dispose() }
  },
}

/** A V8 isolate in this process. Loops inside of built-in functions cannot be stopped in it. */
export const isolatedVmPeers: readonly Contestant[] = [kept, fresh]
