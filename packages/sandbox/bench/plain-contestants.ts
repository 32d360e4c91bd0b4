import { fork } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { answer, type Contestant, type OpenContestant } from './contestant.ts'
import { type FromPlain, makeTool, PlainCalls } from './plain-host.ts'

const workerFile = new URL('./plain-worker.ts', import.meta.url)
const childFile = new URL('./plain-child.ts', import.meta.url)
const flags = ['--conditions=@toolcrib/source', '--disable-warning=ExperimentalWarning']

const inProcess: Contestant = {
  name: 'function in process',
  isFresh: false,
  isContained: false,
  open: async (): Promise<OpenContestant> => {
    const tool = makeTool()
    return {
      call: async (input) =>
        JSON.stringify(await tool(JSON.parse(input), async (index) => answer(index))),
      close: async () => undefined,
    }
  },
}

function openWorker(): OpenContestant {
  const worker = new Worker(workerFile, { env: {}, execArgv: flags })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  const calls = new PlainCalls((message) => worker.postMessage(message))
  worker.on('message', (message: FromPlain) => calls.take(message))
  return {
    call: (input) => calls.call(input),
    close: async () => {
      await worker.terminate()
    },
  }
}

const keptWorker: Contestant = {
  name: 'worker_threads, kept',
  isFresh: false,
  isContained: false,
  open: async () => openWorker(),
}

const freshWorker: Contestant = {
  name: 'worker_threads, fresh for each call',
  isFresh: true,
  isContained: false,
  open: async () => ({
    call: async (input) => {
      const worker = openWorker()
      try {
        return await worker.call(input)
      } finally {
        await worker.close()
      }
    },
    close: async () => undefined,
  }),
}

const keptChild: Contestant = {
  name: 'child process, kept',
  isFresh: false,
  isContained: false,
  open: async () => {
    const child = fork(childFile, { env: {}, execArgv: flags })
    const calls = new PlainCalls((message) => child.send(message))
    child.on('message', (message) => calls.take(message as FromPlain))
    return {
      call: (input) => calls.call(input),
      close: async () => {
        const ended = new Promise((done) => child.once('exit', done))
        child.kill('SIGKILL')
        await ended
      },
    }
  },
}

/** Ways that need nothing but Node. None of them contains what it runs. */
export const plainContestants: readonly Contestant[] = [
  inProcess,
  keptWorker,
  freshWorker,
  keptChild,
]
