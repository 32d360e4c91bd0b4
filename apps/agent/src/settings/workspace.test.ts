import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveDataFolder } from '../host/data-folder.ts'
import { openWorkspace } from './workspace.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-workspace-')))
  mkdirSync(join(root, 'project/.toolcrib/trust'), { recursive: true })
  mkdirSync(join(root, 'project/files'))
  mkdirSync(join(root, 'trust'))
})
afterEach(() => rmSync(root, { recursive: true }))

const inData = (): ReturnType<typeof resolveDataFolder> =>
  resolveDataFolder({ data: join(root, 'project/.toolcrib'), environment: {} })
const open = (named: string, folder = inData()): Promise<string> =>
  openWorkspace({ folder, named, workingFolder: join(root, 'project') })

test('without a choice it is a private folder in the data folder', async () => {
  const path = await openWorkspace({ folder: inData() })
  expect(path).toBe(join(root, 'project/.toolcrib/workspace'))
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('what the command line names comes before the settings, and starts from the working folder', async () => {
  const settings = join(root, 'project')
  const choice = { folder: inData(), settings, workingFolder: join(root, 'project') }
  expect(await openWorkspace({ ...choice, named: 'files' })).toBe(join(root, 'project/files'))
  await expect(openWorkspace(choice)).rejects.toMatchObject({ code: 'WORKSPACE_MISPLACED' })
})

test('a named folder that is not there is not made', async () => {
  await expect(open('flies')).rejects.toMatchObject({ code: 'USAGE' })
})

test.each([
  ['the data folder', '.toolcrib'],
  ['a folder above the data folder', '.'],
  ['a folder far above the data folder', '/'],
  ['the trust folder', '.toolcrib/trust'],
  ['a new folder in the trust folder', '.toolcrib/trust/new'],
  ['another folder in the data folder', '.toolcrib/store'],
  ['a folder whose name begins like the workspace', '.toolcrib/workspace2'],
  ['a way back out', '.toolcrib/workspace/../trust'],
])('%s is refused as a workspace', async (_what, path) => {
  await expect(open(path)).rejects.toMatchObject({ code: 'WORKSPACE_MISPLACED' })
})

test('a link to one of them is refused too, also in the place of the workspace itself', async () => {
  symlinkSync(join(root, 'project/.toolcrib/trust'), join(root, 'link'))
  await expect(open(join(root, 'link'))).rejects.toMatchObject({ code: 'WORKSPACE_MISPLACED' })
  symlinkSync(join(root, 'project'), join(root, 'project/.toolcrib/workspace'))
  await expect(openWorkspace({ folder: inData() })).rejects.toMatchObject({
    code: 'WORKSPACE_MISPLACED',
  })
})

test('a trust folder elsewhere is kept apart as well', async () => {
  const folder = resolveDataFolder({
    data: join(root, 'project/.toolcrib'),
    trust: join(root, 'trust'),
    environment: {},
  })
  await expect(open(join(root, 'trust'), folder)).rejects.toThrow(/is the trust folder/)
  const above = resolveDataFolder({
    data: join(root, 'project/.toolcrib'),
    trust: join(root, 'project/files/deep/trust'),
    environment: {},
  })
  await expect(open('files', above)).rejects.toThrow(/contains the trust folder/)
})

test('a folder below the workspace, and one whose name begins like the data folder, will do', async () => {
  mkdirSync(join(root, 'project/.toolcrib/workspace/agent'), { recursive: true })
  mkdirSync(join(root, 'project/.toolcrib2'))
  expect(await open('.toolcrib/workspace/agent')).toMatch(/workspace\/agent$/)
  expect(await open('.toolcrib2')).toMatch(/\.toolcrib2$/)
})
