import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from './command-in-process.ts'
import { makeTemporaryFolder, runToolcrib } from './run-toolcrib.ts'

let folder: ReturnType<typeof makeTemporaryFolder>

beforeEach(() => {
  folder = makeTemporaryFolder()
})
afterEach(() => folder.remove())

const nobodyListens = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

describe('a command where no host runs', () => {
  test.each([[['audit', 'verify']], [['tools', 'list']], [['approvals', 'list']]])(
    '%s opens no database',
    async (parameters) => {
      const { exitCode, stderr } = await runToolcrib(folder.path, parameters, {
        environment: nobodyListens,
      })
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(await runCommand(folder.path, parameters)).toMatchObject({ exitCode: 0 })
      expect(existsSync(join(folder.path, '.toolcrib/database/postgres'))).toBe(false)
    },
  )

  test('that calls a tool opens it first, and runs nothing where it cannot', async () => {
    const call = ['tools', 'call', 'file', '{"operation":"write","path":"a.txt","content":"A"}']
    const refused = await runCommand(folder.path, call, { environment: nobodyListens })
    expect(refused.exitCode).not.toBe(0)
    expect(refused.stdout + refused.stderr).toContain('LOG_UNAVAILABLE')
    expect(existsSync(join(folder.path, '.toolcrib/workspace/a.txt'))).toBe(false)

    expect(await runToolcrib(folder.path, call)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(existsSync(join(folder.path, '.toolcrib/workspace/a.txt'))).toBe(true)
    const { stdout } = await runCommand(folder.path, ['log', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      data: { calls: [{ toolName: 'file', status: 'completed' }] },
    })
  })
})
