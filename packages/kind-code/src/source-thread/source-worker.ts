// The program of the thread that reads sources, which may be ended at any moment.

import { parentPort } from 'node:worker_threads'
import { prepareEraser } from '../source/erase-types.ts'
import { type SourceRequest, answerSourceRequest } from './source-tasks.ts'

prepareEraser()
// oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', (request: SourceRequest) => {
  parentPort?.postMessage(answerSourceRequest(request))
})
parentPort?.postMessage('ready')
