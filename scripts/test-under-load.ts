/**
 * Runs the tests while every core is busy with something else, so that a test which takes a slow machine for a defect falls:
 *
 *   pnpm test:load [--busy=2] [--filter=@toolcrib/n8n]
 *
 * `--busy` is how many busy processes there are for each core, 2 by default; the rest goes to `pnpm test`.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const given = process.argv.slice(2)
const busyOption = given.find((parameter) => parameter.startsWith('--busy='))
const busyPerCore = Number(busyOption?.slice('--busy='.length) ?? 2)
if (!Number.isInteger(busyPerCore) || busyPerCore < 1)
  throw new Error(`--busy must be a whole number of at least 1, and is ${busyOption}`)

// Each hashes without end, and ends by itself when this process is gone.
const busyProgram = `
  const { createHash } = require('node:crypto')
  const block = Buffer.alloc(65_536)
  while (process.ppid === ${process.pid}) createHash('sha256').update(block).digest()`
const busy = Array.from({ length: busyPerCore * availableParallelism() }, () =>
  spawn(process.execPath, ['-e', busyProgram], { stdio: 'ignore' }),
)
console.log(`${busy.length} processes keep ${availableParallelism()} cores busy.`)

const tests = spawn(
  process.execPath,
  [
    join(import.meta.dirname, 'test.ts'),
    '--force',
    ...given.filter((parameter) => parameter !== busyOption),
  ],
  { stdio: 'inherit' },
)
process.exitCode = await new Promise<number>((resolve) => {
  tests.on('exit', (code) => resolve(code ?? 1))
})
for (const child of busy) child.kill()
