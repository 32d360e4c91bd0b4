import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** CPU seconds of this process and of the child processes that it waited for. Files that share a worker add up. */
function readCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** What earlier files of this worker took; the first one counts for its start. */
const worker = globalThis as { cpuSecondsSoFar?: number }

afterAll(() => {
  const seconds = readCpuSeconds()
  const file = relative(`${import.meta.dirname}/..`, expect.getState().testPath ?? '')
  const own = (seconds - (worker.cpuSecondsSoFar ?? 0)).toFixed(2)
  appendFileSync(process.env['TEST_CPU_SECONDS'] ?? '', `${own}\t${file}\n`)
  worker.cpuSecondsSoFar = seconds
})
