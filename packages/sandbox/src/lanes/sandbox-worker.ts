import { parentPort, workerData } from 'node:worker_threads'
import { GuestBase } from '../guest-engine/guest-base.ts'
import { GuestEngine } from '../guest-engine/guest-engine.ts'
import { readGuestFiles } from '../guest-files.ts'
import type { HostMessage } from './protocol.ts'
import type { WorkerStart } from './worker-lane.ts'

// The entry of a worker thread.
const { module, flags } = workerData as WorkerStart
const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread')
const engine = new GuestEngine(
  new GuestBase(module, readGuestFiles()),
  (message) => port.postMessage(message),
  flags,
)
port.on('message', (message: HostMessage) => engine.receive(message))
