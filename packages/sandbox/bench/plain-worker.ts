import { parentPort } from 'node:worker_threads'
import { servePlainly, type ToPlain } from './plain-host.ts'

servePlainly(
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  (message) => parentPort?.postMessage(message),
  (take) => parentPort?.on('message', (message: ToPlain) => take(message)),
)
