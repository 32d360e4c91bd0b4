import { Worker } from 'node:worker_threads'
import { FrameReader, encodeFrame } from '../lanes/frame.ts'
import { readGuestFiles, readIsolateAdapter } from '../guest-files.ts'
import { loadIsolatedVm } from './isolate-addon.ts'
import { IsolateEngine } from './isolate-engine.ts'
import { newIsolateBase } from './isolate-guest.ts'
import type { HostMessage } from '../lanes/protocol.ts'

// The entry of a child process of mode `isolate`: frames come by its standard input, frames go by its standard output.
const [, , addonPath = '', hostPid = ''] = process.argv

// Set before the first isolate is made, which asks the system otherwise.
process.env['TZ'] = 'UTC'

const engine = new IsolateEngine(
  newIsolateBase(loadIsolatedVm(addonPath), readGuestFiles(), readIsolateAdapter()),
  (message) => process.stdout.write(encodeFrame(message)),
)
const reader = new FrameReader((message) => engine.receive(message as HostMessage))
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk))
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'))
process.stdout.on('error', () => process.kill(process.pid, 'SIGKILL'))

// A guest in a loop that nothing interrupts must not outlive a host that was killed.
new Worker(
  `const { workerData: hostPid } = require('node:worker_threads')
  setInterval(() => { if (process.ppid !== hostPid) process.kill(process.pid, 'SIGKILL') }, 250)`,
  { eval: true, workerData: Number(hostPid), env: {}, stdout: true, stderr: true },
).unref()
