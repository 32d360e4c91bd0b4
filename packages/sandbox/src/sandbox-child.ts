import { Worker } from 'node:worker_threads'
import { FrameReader, encodeFrame } from './frame.ts'
import { GuestBase } from './guest-base.ts'
import { GuestEngine } from './guest-engine.ts'
import { readGuestFiles, readWasm } from './guest-files.ts'
import type { HostMessage } from './protocol.ts'
import { webAssembly } from './web-assembly.ts'

// The entry of a child process: frames come by its standard input, frames go by its standard output.
const [, , wasmPath = '', watch] = process.argv
const engine = new GuestEngine(
  new GuestBase(new webAssembly.Module(readWasm(wasmPath)), readGuestFiles()),
  (message) => process.stdout.write(encodeFrame(message)),
)
const reader = new FrameReader((message) => engine.receive(message as HostMessage))
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk))
process.stdin.on('end', () => process.exit())
process.stdout.on('error', () => process.exit())

// A guest in a loop that nothing interrupts must not outlive a host that was killed.
if (watch === 'watch')
  new Worker(
    `const parent = process.ppid
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`,
    { eval: true, env: {}, stdout: true, stderr: true },
  ).unref()
