import { spawn } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { findGuestProcesses } from './guest-process.ts'

// Two seconds on a machine that does nothing else.
const patience = { timeout: 10_000, interval: 50 }

/** What is left of processes when their program is killed. */
export function describeOrphans(mode: 'process' | 'bubblewrap'): void {
  test('no process is left two seconds after the program that started it was killed', async () => {
    const index = new URL('../src/index.ts', import.meta.url).href
    const program = `import { createSandbox } from ${JSON.stringify(index)}
      const sandbox = createSandbox({ mode: '${mode}' })
      const { hash } = await sandbox.load(
        { source: 'export default () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)' })
      void sandbox.call(hash, '{}', { timeoutMs: 600000 })
      console.log('begun')`
    const child = spawn(
      process.execPath,
      ['--conditions=@toolcrib/source', '--input-type=module', '-e', program],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const [guest = 0] = findGuestProcesses(child.pid)
    expect(guest).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(guest, 0)).toThrowError('ESRCH'), patience)
  })
}
