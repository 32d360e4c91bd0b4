import { Worker } from 'node:worker_threads'
import { FrameReader, encodeFrame } from './frame.ts'
import { GuestBase } from '../guest-engine/guest-base.ts'
import { GuestEngine } from '../guest-engine/guest-engine.ts'
import { readGuestFiles, readWasm } from '../guest-files.ts'
import type { HostMessage } from './protocol.ts'
import { webAssembly } from '../guest-engine/web-assembly.ts'

// The entry of a child process: frames come by its standard input, frames go by its standard output.
const [, , wasmPath = '', hostPid] = process.argv
const engine = new GuestEngine(
  new GuestBase(new webAssembly.Module(readWasm(wasmPath)), readGuestFiles()),
  (message) => process.stdout.write(encodeFrame(message)),
)
const reader = new FrameReader((message) => engine.receive(message as HostMessage))
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk))
process.stdin.on('end', () => process.exit())
process.stdout.on('error', () => process.exit())

// A guest in a loop that nothing interrupts must not outlive a host that was killed.
if (hostPid !== undefined)
  new Worker(
    `const { workerData: hostPid } = require('node:worker_threads')
    setInterval(() => { if (process.ppid !== hostPid) process.kill(process.pid, 'SIGKILL') }, 250)`,
    { eval: true, workerData: Number(hostPid), env: {}, stdout: true, stderr: true },
  ).unref()
