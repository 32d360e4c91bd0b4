import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'
import { describeContract } from './contract.ts'
import { findGuestProcess } from './guest-process.ts'
import { describeOrphans } from './orphans.ts'

const isThere = (): boolean => {
  try {
    createSandbox({ mode: 'bubblewrap' })
    return true
  } catch {
    return false
  }
}

// oxlint-disable vitest/no-conditional-tests -- where bubblewrap is missing, that has to be said
if (isThere())
  describe('in bubblewrap', () => {
    describeContract('bubblewrap')
    describeOrphans('bubblewrap')

    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = createSandbox({ mode: 'bubblewrap', maxWorkers: 1 })
      await sandbox.load({ source: 'export default () => 0' }, { timeoutMs: 20_000 })
    })
    afterAll(() => sandbox.close())

    test('a process sees no file of the machine but what it runs on', () => {
      const root = `/proc/${findGuestProcess()}/root`
      // What lies here is seen up to the folders that lead to it, which on some machines begin with one of these.
      const needed = new Set(
        [import.meta.dirname, process.execPath].map((path) => path.split('/')[1]),
      )
      for (const name of ['etc', 'home', 'proc', 'root', 'tmp', 'var', 'dev', 'sys'])
        if (!needed.has(name)) expect(readdirSync(root)).not.toContain(name)
      const folder = mkdtempSync(join(tmpdir(), 'toolcrib-unseen-'))
      expect(existsSync(folder)).toBe(true)
      expect(existsSync(`${root}${folder}`)).toBe(false)
      rmdirSync(folder)
    })

    test('a process has no network, no other process and no user of this machine', () => {
      for (const space of ['net', 'pid', 'user', 'ipc', 'mnt', 'uts'])
        expect(readlinkSync(`/proc/${findGuestProcess()}/ns/${space}`)).not.toBe(
          readlinkSync(`/proc/self/ns/${space}`),
        )
    })
  })
else
  test('without bubblewrap the mode says that it cannot be used', () => {
    expect(() => createSandbox({ mode: 'bubblewrap' })).toThrowError(
      expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' }),
    )
  })
