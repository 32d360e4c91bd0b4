import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { patientNode } from './patient-node.ts'

/** Each example asserts what it shows and exits non-zero when that does not hold. */
test.concurrent.each(readdirSync('examples'))('the example %s does what it says', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...patientNode, 'main.ts'], {
    cwd: `examples/${name}`,
  })
  expect(stdout).not.toBe('')
})
