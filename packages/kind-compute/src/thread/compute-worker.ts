// The program of the thread that long runs are handed to, which may be ended at any moment.

import { parentPort } from 'node:worker_threads'
import { type JobMessage, JobReader } from './compute-job.ts'

const reader = new JobReader()
parentPort?.on('message', (message: JobMessage) => {
  const reply = reader.take(message)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (reply !== undefined) parentPort?.postMessage(reply)
})
