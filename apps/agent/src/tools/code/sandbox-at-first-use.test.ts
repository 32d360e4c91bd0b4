import { ToolError } from '@toolcrib/registry'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { expect, test } from 'vitest'
import { openSandboxAtFirstUse } from './sandbox-at-first-use.ts'

const describeEngine = (): Sandbox['engine'] => ({
  name: 'quickjs-ng',
  version: '1.0.0',
  fingerprint: 'as ever',
  mode: 'bubblewrap',
})

test('nothing is opened before it is needed, and then once', async () => {
  let opened = 0
  const open = (): Sandbox => {
    opened += 1
    return createSandbox({ maxWorkers: 1 })
  }
  const sandbox = openSandboxAtFirstUse({ open, describeEngine })
  sandbox.unload('0'.repeat(64))
  expect(opened).toBe(0)
  const loaded = await sandbox.load({ source: 'export default (x) => x + 1' })
  expect(await sandbox.call(loaded.hash, '41')).toMatchObject({ ok: true, json: '42' })
  expect(opened).toBe(1)
  await sandbox.close()
  expect(await sandbox.call(loaded.hash, '41')).toMatchObject({ ok: false, reason: 'closed' })
})

test('where it cannot be opened every use is a rejection that says why, the engine is known, and the next use tries again', async () => {
  let opened = 0
  const open = (): Sandbox => {
    opened += 1
    throw new ToolError<string>('SANDBOX_UNAVAILABLE', 'There is no bwrap here.')
  }
  const sandbox = openSandboxAtFirstUse({ open, describeEngine })
  expect(sandbox.engine.fingerprint).toBe('as ever')
  for (const use of [sandbox.load({ source: '' }), sandbox.call('0'.repeat(64), '{}')])
    // oxlint-disable-next-line no-await-in-loop -- two of them
    await expect(use).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
  expect(opened).toBe(3)
  await sandbox.close()
  expect(opened).toBe(3)
})
