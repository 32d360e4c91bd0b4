import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const startHost = (): ChildProcess =>
  fork(fileURLToPath(new URL('../../test/type-check-child.ts', import.meta.url)), ['600000'], {
    execArgv: ['--conditions=@toolcrib/source'],
  })

it('the process that checks types ends itself when its host is killed in the middle of a check', async () => {
  const host = startHost()
  const [pid] = (await once(host, 'message')) as [number]
  try {
    expect(isRunning(pid)).toBe(true)
    host.kill('SIGKILL')
    await once(host, 'exit')
    await expect.poll(() => isRunning(pid), { timeout: 8_000, interval: 50 }).toBe(false)
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // Where nobody collects what ended, its entry stays.
    return (
      !existsSync(`/proc/${pid}/stat`) || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
    )
  } catch {
    return false
  }
}
